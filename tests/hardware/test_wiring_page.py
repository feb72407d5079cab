"""docs/WIRING.md names the pins that the program uses, and where they are on a Pi's header."""

import re
from pathlib import Path
from typing import Any

import pytest

from hardware.wiring import BUTTONS, LAMPS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "WIRING.md"
HEADER = {
    **{4: 7, 17: 11, 27: 13, 22: 15, 5: 29, 6: 31, 13: 33, 19: 35, 26: 37},
    **{18: 12, 23: 16, 24: 18, 25: 22, 12: 32, 16: 36, 20: 38, 21: 40},
}
"""A pin's place on the 40-pin header by its BCM number."""


def test_table_names_every_lamp_and_button_at_its_pin() -> None:
    rows = re.findall(
        r"^\| (lamp|button) `(\w+)` \| (\d+) \| (\d+) \|", PAGE.read_text("utf-8"), re.MULTILINE
    )
    said = {(kind, name): int(bcm) for kind, name, bcm, _ in rows}
    lamps = {("lamp", name): pin for name, pin in LAMPS.items()}
    assert said == lamps | {("button", name): pin for name, pin in BUTTONS.items()}
    assert {int(bcm): int(place) for _, _, bcm, place in rows} == {
        pin: HEADER[pin] for pin in (*LAMPS.values(), *BUTTONS.values())
    }


def test_example_without_wires_does_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    example = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert example is not None
    made: dict[str, Any] = {}
    exec(example[1], made)
    made["buttons"].close()
    made["lamps"].close()
    edge, lamp = capsys.readouterr().out.splitlines()
    assert edge.startswith("Edge(button='south_turn', down=True")
    assert lamp == "True"
