"""Print requirements/KIND.txt without the packages that the system brings itself.

    python scripts/locked.py runtime numpy opencv-python-headless

Raspberry Pi OS has OpenCV, numpy and picamera2 that fit each other; a wheel with another numpy would break them.
"""

import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "requirements"


def locked(text: str, left_out: Collection[str]) -> Iterator[str]:
    """The lines of a lock file that belong to other packages than those left out.

    A package is a line `name==version` and the lines of its digests after it, which are indented.
    """
    keep = True
    for line in text.splitlines():
        if name := re.match(r"([A-Za-z0-9._-]+)==", line):
            keep = name[1].lower() not in left_out
        if keep:
            yield line


if __name__ == "__main__":
    kind, *left_out = sys.argv[1:]
    print("\n".join(locked((FOLDER / f"{kind}.txt").read_text("ascii"), set(left_out))))
