"""Child processes, as Linux lists them."""

from pathlib import Path


def capture_child(parent: int) -> int:
    """Process id of this process's only camera child."""
    listed = Path(f"/proc/{parent}/task").glob("*/children")
    children = [int(word) for file in listed for word in file.read_text().split()]
    [pid] = [
        child for child in children if b"vision.capture.child" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
    return pid
