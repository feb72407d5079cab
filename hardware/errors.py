"""What can go wrong with lamps and buttons.

    HardwareError
    ├── BadWiring   (ValueError)   these pins cannot be meant: twice the same, or none that a Pi has
    └── NoGpio      (OSError)      pins were demanded, and this machine has none that can be driven

A single lamp or button that cannot be had is no error: the panel goes on without it and says so.
"""

from sentence import SpokenError


class HardwareError(SpokenError):
    """Something about lamps and buttons that has to be put right, with a sentence for people."""


class BadWiring(HardwareError, ValueError):
    """Pins that cannot be meant."""


class NoGpio(HardwareError, OSError):
    """Pins were demanded, and there are none to drive."""
