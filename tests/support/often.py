"""Repetitions of random tests: `TIMES=50 .venv/bin/python -m pytest …` runs fifty times as many as usual."""

import os

TIMES = int(os.environ.get("TIMES", "1"))
