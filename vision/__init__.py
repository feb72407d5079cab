"""A dice reader for pictures of backgammon boards: frames in, readings out. Nothing here knows the rules."""
