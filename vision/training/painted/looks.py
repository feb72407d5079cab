"""Looks of dice on painted boards: those of any shop, precision dice, wooden ones, rounder ones of the wider range."""

from dataclasses import replace

import numpy as np

from vision.training.rendered.dice3d import DieLook
from vision.training.rendered.scenes import hsv, random_look

ROUNDED, ROUNDING, BALL = 0.6, (0.15, 0.33), (1.2, 1.36)
"""Share of the dice of the wider range that are rounder than others, half of them by each: see `DieLook`."""
LARGE_PIPS, PIP_RADIUS, PIP_OFFSET = 0.3, (0.11, 0.14), (0.25, 0.29)
"""Share of those whose pips are large, and how large, see `DieLook`: the three in a row of a six nearly touch."""

WOODEN = 0.25
"""Share of the dice in hard light that are of wood."""
LIGHTEST_WOOD, DARKEST_WOOD = (0.62, 0.42, 0.22), (0.045, 0.018, 0.008)
"""In linear RGB: of maple, of stained walnut."""
GRAIN, RINGS = (0.04, 0.35), (2.0, 9.0)
"""Of wooden dice, see `DieLook`."""


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


def wooden(rng: np.random.Generator) -> DieLook:
    """A die of wood: its pips are burnt, inlaid or painted; many are hardly darker or lighter than the wood."""
    share = rng.random()
    light, dark = np.log(LIGHTEST_WOOD), np.log(DARKEST_WOOD)
    body = np.exp(share * dark + (1 - share) * light + rng.normal(0, 0.12, 3))
    pip = np.full(3, 0.8) if share > 0.45 else body * rng.uniform(0.04, 0.22)
    (red, green, blue), (pip_red, pip_green, pip_blue) = body.tolist(), pip.tolist()
    ink = (pip_red, pip_green, pip_blue)
    return replace(
        random_look(rng),
        body=(red, green, blue),
        pip=ink,
        one=ink,
        gloss=float(rng.uniform(0, 0.3)),
        glow=0.0,
        grain=float(rng.uniform(*GRAIN)),
        rings=float(rng.uniform(*RINGS)),
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
