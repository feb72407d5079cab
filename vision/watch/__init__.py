"""A camera followed over time: stillness, bumps, and each throw reported once."""
