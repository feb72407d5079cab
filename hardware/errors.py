"""Errors of lamps, buttons and lights.

    HardwareError
    ├── BadWiring   (ValueError)   invalid pins: one used twice, or a number that a Pi does not have
    ├── NoGpio      (OSError)      pins were demanded, and this machine has none that can be driven
    └── StripNotReached (OSError)  the strip's controller is away, hangs or refuses

One lamp or button that cannot be used is no error: the panel goes on without it and reports it.
"""

from sentence import SpokenError


class HardwareError(SpokenError):
    """A fault of lamps or buttons that somebody has to fix; the text is a sentence for people."""


class BadWiring(HardwareError, ValueError):
    """Invalid pins, names or times in the wiring."""


class NoGpio(HardwareError, OSError):
    """GPIO pins were demanded, and none can be driven."""


class StripNotReached(HardwareError, OSError):
    """The controller of the LED strip is away, hangs or refuses."""
