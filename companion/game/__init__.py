"""The state machine of a match."""
