"""Curves as SVG coordinates; the templates draw them."""

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 640.0, 200.0
"""The drawing's size in its own units."""


class Line(NamedTuple):
    """A label at a height, for a value on the axis."""

    y: float
    value: float


class Plot(NamedTuple):
    """A drawing: each curve as the `points` of an SVG polyline, its dots, labelled lines, breaks between curves."""

    curves: list[str]
    dots: list[tuple[float, float]]
    lines: list[Line]
    breaks: list[float]


def plot(series: Sequence[Sequence[float]], axis: tuple[float, float]) -> Plot:
    """Curves one after the other from left to right, with a break between them.

    Args:
        series: the values of each curve; empty ones are left out.
        axis: the values at the bottom and at the top.
    """
    curves = [one for one in series if one]
    places = max(1, sum(map(len, curves)) - 1)
    low, high = axis

    def y(value: float) -> float:
        return round(HEIGHT - (value - low) / (high - low) * HEIGHT, 1)

    found, at, breaks = list[list[tuple[float, float]]](), 0, list[float]()
    for one in curves:
        if at:
            breaks.append(round(WIDTH * (at - 0.5) / places, 1))
        found.append([(round(WIDTH * (at + n) / places, 1), y(value)) for n, value in enumerate(one)])
        at += len(one)
    return Plot(
        [" ".join(f"{x},{height}" for x, height in one) for one in found],
        [dot for one in found for dot in one],
        [Line(y(mark), mark) for mark in (low, (low + high) / 2, high)],
        breaks,
    )


def centred(series: Sequence[Sequence[float]]) -> tuple[float, float]:
    """An axis that reaches equally far above and below 0."""
    most = max((abs(value) for one in series for value in one), default=0.0) or 1.0
    return -most, most


def from_zero(values: Sequence[float]) -> tuple[float, float]:
    """An axis from 0 to the largest value."""
    return 0.0, max(values, default=0.0) or 1.0


def around(values: Sequence[float], least: float) -> tuple[float, float]:
    """An axis around the values, at least so long."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    rest = max(0.0, least - (high - low)) / 2
    return low - rest, high + rest
