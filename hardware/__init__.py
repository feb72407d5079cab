"""Lamps and buttons beside the board. Knows wires and times, not the game."""
