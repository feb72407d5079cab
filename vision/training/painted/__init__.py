"""Boards of every make painted from polygons, with the dice and checkers on them. Nothing here learns."""
