"""What many visitors share: places, event streams, and a log that repeats nothing."""
