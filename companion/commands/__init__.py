"""The command line: one module a command, each with `add` and `run`. Heavy imports wait until a command runs."""
