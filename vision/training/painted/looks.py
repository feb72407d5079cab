"""Looks of the dice on painted boards: those of any shop, precision dice, and rounder ones of the wider range."""

from dataclasses import replace

import numpy as np

from vision.training.rendered.dice3d import DieLook
from vision.training.rendered.scenes import hsv, random_look

ROUNDED, ROUNDING, BALL = 0.6, (0.15, 0.33), (1.2, 1.36)
"""Share of the dice of the wider range that are rounder than others, half of them by each: see `DieLook`."""
LARGE_PIPS, PIP_RADIUS, PIP_OFFSET = 0.3, (0.11, 0.14), (0.25, 0.29)
"""Share of those whose pips are large, and how large, see `DieLook`: the three in a row of a six nearly touch."""


def some_look(rng: np.random.Generator, wider: bool = False) -> DieLook:
    """A die of any shop, or a precision die: clear resin in a strong colour or opaque, small pips, fine edges.

    `wider`: most of those of any shop are rounder, some have larger pips.
    """
    look = random_look(rng)
    if rng.random() < 0.65:
        return rounder(rng, look) if wider else look
    clear = rng.random() < 0.5
    return replace(
        look,
        body=hsv(rng, 0.3, 0.9) if clear else look.body,
        pip=(0.9, 0.88, 0.84) if clear else look.pip,
        one=(0.9, 0.88, 0.84) if clear else look.one,
        rounding=float(rng.uniform(0.03, 0.13)),
        ball=0.0,
        pip_radius=float(rng.uniform(0.06, 0.1)),
        glow=float(rng.uniform(0.4, 0.85)) if clear else look.glow,
    )


def rounder(rng: np.random.Generator, look: DieLook) -> DieLook:
    """The look, mostly with rounder edges, sometimes with larger pips."""
    if rng.random() < ROUNDED:
        if rng.random() < 0.5:
            look = replace(look, rounding=float(rng.uniform(*ROUNDING)), ball=0.0)
        else:
            look = replace(look, ball=float(rng.uniform(*BALL)))
    if rng.random() < LARGE_PIPS:
        radius, offset = (float(rng.uniform(*limits)) for limits in (PIP_RADIUS, PIP_OFFSET))
        look = replace(look, pip_radius=radius, pip_offset=offset)
    return look
