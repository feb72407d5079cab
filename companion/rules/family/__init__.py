"""The other games played on the board: what differs from backgammon, each game in one place."""
