"""What drives vision while the program runs."""
