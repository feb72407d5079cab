"""English for the output of the commands."""


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: 1 game, 2 games; `many` where the plural is not `one` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
