"""Observation of a camera over time: stillness, bumps, and throws and liftings, each reported once."""
