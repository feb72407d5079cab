"""The command line: one module for each command, with `add` and `run`. Heavy imports wait until a command runs."""
