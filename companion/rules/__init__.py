"""The rules of backgammon."""
