"""GPIO pins: a Raspberry Pi's real ones, gpiozero's mock pins elsewhere."""

from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from hardware.errors import NoGpio

PinsWanted: TypeAlias = Literal["auto", "gpio", "mock"]
_MODEL = Path("/proc/device-tree/model")


class Pins(NamedTuple):
    """The pins for lamps and buttons: gpiozero's factory, whether it is real, and a notice to show once."""

    factory: Any
    real: bool
    notice: str


def find_pins(wanted: PinsWanted = "auto", model: Path = _MODEL) -> Pins:
    """Choose the pins.

    With `auto` only a Raspberry Pi's pins are driven: many PCs have GPIO chips too, and the devices on those
    are not ours to switch.

    Raises:
        NoGpio: `wanted` is `gpio`, and no pin can be driven.
    """
    if wanted == "mock":
        return _mock("Mock pins are set: the lamps are shown on the page.")
    try:
        on_a_pi = "Raspberry Pi" in model.read_text(errors="replace")
    except OSError:
        on_a_pi = False
    if wanted == "auto" and not on_a_pi:
        return _mock("There is no GPIO here: the lamps are shown on the page.")
    return _real(wanted)


def _mock(notice: str) -> Pins:
    from gpiozero.pins.mock import MockFactory

    return Pins(MockFactory(), False, notice)


def _real(wanted: PinsWanted) -> Pins:
    """gpiozero through lgpio, the only backend for every Pi up to the fifth."""
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return Pins(LGPIOFactory(), True, "")
    except ImportError:
        why = "Python's lgpio is not installed (sudo apt install python3-lgpio)"
    except Exception as error:  # lgpio's own error derives from Exception only
        why = f"the pins cannot be opened ({error}); this user has to be in the group gpio"
    if wanted == "gpio":
        raise NoGpio(f"The GPIO cannot be used: {why}.")
    return _mock(f"The GPIO cannot be used: {why}. The lamps are shown on the page.")
