"""The command line: a module for each command, with HELP, `add_options` and `run`. Heavy imports wait for `run`."""
