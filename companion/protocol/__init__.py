"""What page and table say to each other."""
