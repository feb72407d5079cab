"""The board in a picture: its corners, and pixels to millimetres on it."""
