"""The camera while the program runs: `vision` driven in a thread of its own. Nothing here knows the game."""
