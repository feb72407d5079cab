"""The learning of each net, and what all of that shares."""
