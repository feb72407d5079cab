"""Checkers in a single picture of a board: their colours and numbers. Nothing here knows the rules or remembers."""
