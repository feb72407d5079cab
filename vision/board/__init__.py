"""The board in a picture: its corners, and the mapping between pixels and millimetres."""
