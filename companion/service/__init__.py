"""The running program: builds, connects, runs and stops its parts. Only here do game and leaf packages meet."""
