"""The checkers of a game in pictures: a recording that is followed, and the board of the running game that is kept."""
