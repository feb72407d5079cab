"""Kinds of change of a point, and the light in which two pictures of it are compared."""

import numpy as np
import pytest

from vision.checkers.changes import KINDS, MOST_CAME, OTHER_CAME, UNCHANGED, kind_of, normal
from vision.checkers.quadrants import HALF_PX, POINT_PX, POINTS


@pytest.mark.parametrize(
    ("held", "same", "other", "kind"),
    [
        (0, 0, 0, UNCHANGED),
        (0, 2, 0, UNCHANGED + 2),
        (5, 6, 0, UNCHANGED + 1),
        (2, 0, 0, UNCHANGED - 2),
        (5, 0, 0, UNCHANGED - MOST_CAME),
        (1, 9, 0, UNCHANGED + MOST_CAME),
        (1, 0, 1, OTHER_CAME),
        (1, 0, 3, OTHER_CAME + 1),
    ],
)
def test_kind_of_change(held, same, other, kind):
    assert kind_of(held, same, other) == kind
    assert 0 <= kind < KINDS


def test_later_picture_is_seen_in_the_light_of_the_earlier_one():
    rng = np.random.default_rng(1)
    before = rng.integers(40, 200, (POINTS, HALF_PX, POINT_PX, 3)).astype(np.uint8)
    warmer = np.clip(before * np.array([0.9, 1.0, 1.1]), 0, 255).astype(np.uint8)
    both = normal(before, warmer)
    assert both.shape == (POINTS, 6, HALF_PX, POINT_PX)
    assert np.abs(both[:, 3:] - both[:, :3]).max() < 0.1
