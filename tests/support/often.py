"""How often random tests are tried: `TIMES=50 .venv/bin/python -m pytest …` tries fifty times as often as usual."""

import os

TIMES = int(os.environ.get("TIMES", "1"))
