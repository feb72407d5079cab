"""Lamps and buttons beside the board; knows wires and times, not the game."""
