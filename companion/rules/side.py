"""The two sides of the table."""

from enum import Enum


class Side(Enum):
    """Who sits where; the camera sees south at the bottom of the picture."""

    SOUTH = "south"
    NORTH = "north"

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.NORTH if self is Side.SOUTH else Side.SOUTH
