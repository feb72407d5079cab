"""What is set on the page for the whole table, in a file."""
