"""Names of a hall's tables, in the order in which people read them."""

import re


def in_order(name: str) -> list[tuple[int, int, str]]:
    """A sort key that puts table 2 before table 10, and numbers before names."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]
