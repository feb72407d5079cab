"""The most memory that a command of the program takes, as a process of its own."""

import subprocess
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")
_RUN = """
import re, sys
from pathlib import Path
from companion.__main__ import main
status = main(sys.argv[1:])
most = re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())
print(most[1], file=sys.stderr)
sys.exit(status)
"""


def of_command(*words: str, ends: tuple[int, ...] = (0,)) -> tuple[float, list[str]]:
    """The most memory of a command with its libraries, in MB, and the lines that it prints; asked of Linux as it ends.

    What a parent is told of its children counts the parent's own memory, too; therefore the process itself asks.

    Args:
        words: the command and its arguments.
        ends: exit statuses that are no failure.

    Raises:
        RuntimeError: it ended with another status.
    """
    done = subprocess.run([sys.executable, "-c", _RUN, *words], capture_output=True, text=True, check=False)
    if done.returncode not in ends:
        raise RuntimeError(f"companion {' '.join(words)} ended with {done.returncode}: {done.stderr[-400:]}")
    return int(done.stderr.split()[-1]) * 1024 / 1e6, done.stdout.splitlines()
