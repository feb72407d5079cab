"""What the pages of rules beside the checkout list, as the names of the tests that have to be there."""

import re
from pathlib import Path


def rows_of(page: Path) -> list[str]:
    """The first column of a page's table without its head and without what stands in brackets or behind a factor."""
    cells = [line.split("|")[1] for line in page.read_text("utf-8").splitlines() if line.startswith("| ")]
    rows = [cell.split("×")[0].split("(")[0] for cell in cells[1:] if set(cell) - set("- ")]
    return ["_".join(re.findall("[a-z]+", row.lower())) for row in rows]
