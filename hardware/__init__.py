"""Lamps, buttons and an LED strip beside the board. Knows wires and times, not the game."""
