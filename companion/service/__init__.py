"""The running program: its parts built, connected, run and stopped. Only here do game and leaves meet."""
