"""The learning of each net, the quadrants the net for checkers learns from, and what all of that shares."""
