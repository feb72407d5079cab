"""Dice in a single picture, from spots to a reading. Nothing here remembers an earlier picture."""
