"""Inference of plays from readings of the checkers, as pure functions of values. Nothing here sees a picture."""
