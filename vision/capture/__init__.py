"""Getting frames."""
