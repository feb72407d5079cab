"""A small ray caster for dice on a plane: many pictures with truth in a short time.

Dice are rounded boxes (optionally cut by a sphere), traced by their signed distance, lit by one lamp and a sky, with a
soft shadow on the ground. It is less realistic than a real renderer, but more varied: any view, any colours, any size,
on any ground picture.

World frame: x right, y away from the viewer, z up; the ground is z = 0; the unit is one die's edge. Pictures are
(H, W, 3) float32 RGB, linear light, 0 to 1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class DieLook:
    """Shape and colours of a die: lengths in edges, colours in linear RGB, 0 to 1."""

    body: tuple[float, float, float]
    pip: tuple[float, float, float]
    one: tuple[float, float, float]
    rounding: float
    ball: float  # radius of the cutting sphere in half edges; 0 for none
    pip_radius: float
    pip_offset: float
    one_scale: float
    gloss: float
    glow: float  # translucency of the body: 0 opaque … 1 clear
    turned: tuple[bool, ...]  # for each of six faces: whether its pattern is rotated by 90 degrees
    left_handed: bool
    recess: float = 0.0  # slope of a pip's hollow at its edge; 0: painted on
    steepness: float = 1.0  # power by which the slope grows from the middle: 1 a bowl, more: a flat bottom
    grain: float = 0.0  # of wood: by what share its rings are brighter and darker than the body
    rings: float = 0.0  # how many there are to an edge


@dataclass(frozen=True, slots=True)
class Panel:
    """A flat lamp above, which smooth faces mirror.

    Directions are horizontal over vertical components. The light is what a face shows of it, in linear RGB.
    """

    middle: tuple[float, float]
    half: tuple[float, float]
    turn_rad: float
    blur: float  # width of its edge as the face mirrors it
    nearness: float  # one die's edge over its height: how far the mirrored direction moves across a face
    light: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class DiePose:
    """Place and attitude of a die: its centre above the ground, its axes as the columns of a rotation matrix."""

    centre: Array  # (3,)
    axes: Array  # (3, 3): world = axes @ local + centre


@dataclass(frozen=True, slots=True)
class View:
    """A camera at infinity; one die's edge is `edge_px` pixels.

    Either it looks down tilted off the vertical (`tilt_rad`), as from a seat at the table, or the picture's plane is
    level and the scene is beside its middle (`slant`, the gaze's horizontal over its vertical component), as under a
    camera above a board.
    """

    tilt_rad: float
    edge_px: float
    slant: tuple[float, float] | None = None

    def basis(self) -> tuple[Array, Array, Array]:
        """Right and up in the picture, and the gaze, as world vectors (3,)."""
        right = np.array([1, 0, 0], np.float32)
        if self.slant is not None:
            gaze = np.array([*self.slant, -1], np.float32)
            return right, np.array([0, 1, 0], np.float32), gaze / np.linalg.norm(gaze)
        s, c = np.sin(self.tilt_rad), np.cos(self.tilt_rad)
        return right, np.array([0, c, s], np.float32), np.array([0, s, -c], np.float32)

    def project(self, points: Array) -> Array:
        """Project world points (N, 3) to pixels (N, 2) relative to the world's origin, y down."""
        if self.slant is not None:
            flat = points[:, :2] + points[:, 2:] * np.array(self.slant, np.float32)
            return np.asarray(flat * [1, -1] * np.float32(self.edge_px), np.float32)
        right, up, _ = self.basis()
        return np.stack([points @ right, -(points @ up)], -1) * np.float32(self.edge_px)

    def up(self) -> tuple[float, float]:
        """Direction of “up” in the picture: displacement of a point one edge higher, over the edge's length there."""
        return self._way(np.array([0, 0, 1], np.float32))

    def along(self, pose: "DiePose", axis: int, sign: int) -> tuple[float, float]:
        """The same for the normal of a die's face: displacement of a point one edge away from the face."""
        return self._way(pose.axes[:, axis] * sign)

    def _way(self, direction: Array) -> tuple[float, float]:
        ground = 1.0 if self.slant is not None else float(np.sqrt(np.cos(self.tilt_rad)))
        x, y = self.project(direction[None])[0] / (self.edge_px * ground)
        return float(x), float(y)


def face_value(axis: int, sign: int, left_handed: bool) -> int:
    """The number on the face with this local normal; opposite faces sum to seven."""
    values = {(2, 1): 1, (2, -1): 6, (0, 1): 2, (0, -1): 5, (1, 1): 3, (1, -1): 4}
    if left_handed and axis == 1:
        sign = -sign
    return values[(axis, sign)]


def upper_face(pose: DiePose) -> tuple[int, int, float]:
    """Axis and sign of the face whose normal is closest to the vertical, and the tilt in degrees."""
    rise = pose.axes[2]
    axis = int(np.argmax(np.abs(rise)))
    tilt = float(np.degrees(np.arccos(min(1.0, abs(float(rise[axis]))))))
    return axis, (1 if rise[axis] > 0 else -1), tilt


def face_corners(pose: DiePose, axis: int, sign: int) -> Array:
    """The four corners (4, 3) of a face in the world."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    corners = np.zeros((4, 3), np.float32)
    corners[:, axis] = 0.5 * sign
    corners[:, u] = np.array([-0.5, 0.5, 0.5, -0.5])
    corners[:, v] = np.array([-0.5, -0.5, 0.5, 0.5])
    out: Array = (corners @ pose.axes.T + pose.centre).astype(np.float32)
    return out


def _distance(local: Array, look: DieLook) -> Array:
    inner = np.float32(0.5 - look.rounding)
    x, y, z = (np.abs(local[:, k]) - inner for k in range(3))
    deep = np.minimum(np.maximum(np.maximum(x, y), z), 0)
    for side in (x, y, z):
        np.maximum(side, 0, out=side)
    box = np.sqrt(x * x + y * y + z * z) + deep - np.float32(look.rounding)
    if look.ball:
        far = np.sqrt(local[:, 0] ** 2 + local[:, 1] ** 2 + local[:, 2] ** 2)
        box = np.maximum(box, far - np.float32(look.ball * 0.5))
    return np.asarray(box, np.float32)


NEAREST_MISS = 0.88
"""In edges: a ray that passes a die's middle farther away misses it; half its diagonal is 0.87."""


def _trace(origin: Array, ray: Array, look: DieLook, steps: int = 28) -> tuple[Array, NDArray[np.bool_]]:
    """March rays (N, 3) in the die's frame; returns the distance to the hit (N,) and whether there was one (N,)."""
    way = np.zeros(len(origin), np.float32)
    aside = origin - (origin @ ray)[:, None] * ray
    live = np.nonzero(aside[:, 0] ** 2 + aside[:, 1] ** 2 + aside[:, 2] ** 2 < NEAREST_MISS**2)[0]
    hit = np.zeros(len(origin), bool)
    for _ in range(steps):
        d = _distance(origin[live] + way[live, None] * ray, look)
        way[live] += d
        done = d < 0.002
        hit[live[done]] = True
        live = live[(~done) & (way[live] < 6)]
        if not len(live):
            break
    return way, hit


def _grain(local: Array, look: DieLook) -> Array:
    """How bright the wood is at surface points (N, 3) in the die's frame, (N,), 1 on average.

    The tree's middle is beside the die, a little bent along the first axis: two faces show arcs, the others stripes.
    """
    x, y, z = local.T
    far = np.hypot(y + 0.9 + 0.05 * np.sin(7 * x), z + 1.3 + 0.04 * np.sin(5 * x + 2))
    return np.asarray(1 + look.grain * np.sin(2 * np.pi * look.rings * far), np.float32)


def _paint(local: Array, look: DieLook) -> tuple[Array, Array, Array]:
    """Colour (N, 3), pip mask (N,) and normal (N, 3) of surface points in the die's frame."""
    inner = 0.5 - look.rounding
    normal = local - np.clip(local, -inner, inner)
    if look.ball:
        radius = np.sqrt(np.square(local).sum(-1))
        on_ball = radius > look.ball * 0.5 - 0.004
        normal = np.where(on_ball[:, None], local, normal)
    normal = normal / np.maximum(np.sqrt(np.square(normal).sum(-1, keepdims=True)), 1e-6)
    axis = np.argmax(np.abs(local), -1)
    colour = np.tile(np.asarray(look.body, np.float32), (len(local), 1))
    if look.grain:
        colour *= _grain(local, look)[:, None]
    mask = np.zeros(len(local), np.float32)
    for face in range(6):
        a, sign = face // 2, 1 if face % 2 == 0 else -1
        here = (axis == a) & (local[:, a] * sign > 0)
        if not here.any():
            continue
        number = face_value(a, sign, look.left_handed)
        p, q = local[here][:, (a + 1) % 3], local[here][:, (a + 2) % 3]
        nearest = np.full(len(p), 9.0, np.float32)
        off = np.zeros((2, len(p)), np.float32)
        for x, y in PIPS[number]:
            px, py = (y, -x) if look.turned[face] else (x, y)
            off_p, off_q = p - px * look.pip_offset, q - py * look.pip_offset
            away = np.hypot(off_p, off_q)
            off = np.where(away < nearest, (off_p, off_q), off)
            nearest = np.minimum(nearest, away)
        radius_of = look.pip_radius * (look.one_scale if number == 1 else 1.0)
        if look.recess:
            share = np.minimum(nearest / radius_of, 1) ** (look.steepness - 1)
            slope = np.where(nearest < radius_of, look.recess / radius_of * share, 0)
            bent = normal[here]
            bent[:, (a + 1) % 3] -= slope * off[0]
            bent[:, (a + 2) % 3] -= slope * off[1]
            normal[here] = bent / np.sqrt(np.square(bent).sum(-1, keepdims=True))
        inside = np.clip((radius_of - nearest) / 0.02 + 0.5, 0, 1)
        ink = np.asarray(look.one if number == 1 else look.pip, np.float32)
        colour[here] = colour[here] * (1 - inside[:, None]) + ink * inside[:, None]
        mask[here] = inside
    return colour, mask, normal.astype(np.float32)


def draw_die(
    canvas: Array,
    at_px: tuple[float, float],
    view: View,
    pose: DiePose,
    look: DieLook,
    lamp: Array,
    lamp_colour: Array,
    sky: Array,
    shadow: float,
    softness: float,
    samples: int = 2,
    panel: Panel | None = None,
) -> None:
    """Draw one die and its shadow into the canvas, in place.

    Args:
        canvas: (H, W, 3) float32 linear light: the ground lit without the die.
        at_px: the world's origin in the picture, x and y.
        lamp: (3,) unit vector towards the lamp.
        lamp_colour, sky: (3,) light from the lamp and from all directions.
        shadow: the lamp's share of the ground's light, 0 to 1.
        softness: 2 (soft) to 40 (hard) shadow edges.
        panel: a lamp that the faces mirror.
    """
    reach = int(np.ceil(view.edge_px * 2.1))
    x0, y0 = max(0, int(at_px[0]) - reach), max(0, int(at_px[1]) - reach)
    x1, y1 = min(canvas.shape[1], int(at_px[0]) + reach), min(canvas.shape[0], int(at_px[1]) + reach)
    if x1 - x0 < 4 or y1 - y0 < 4:
        return
    right, up, gaze = view.basis()
    step = (np.arange(samples) + 0.5) / samples
    gx = (np.arange(x0, x1)[:, None] + step).ravel() - at_px[0]
    gy = (np.arange(y0, y1)[:, None] + step).ravel() - at_px[1]
    u, v = np.meshgrid(gx / view.edge_px, -gy / view.edge_px)
    plane = (u[..., None] * right + v[..., None] * up).reshape(-1, 3).astype(np.float32)
    origin = plane - 3 * gaze
    local = (origin - pose.centre) @ pose.axes
    ray = (gaze @ pose.axes).astype(np.float32)
    way, hit = _trace(local, ray, look)
    ground_way = -origin[:, 2] / gaze[2]
    ground = origin + ground_way[:, None] * gaze
    hit &= way < ground_way + 0.01
    light = np.ones(len(ground), np.float32)
    light[~hit] = _shadow(ground[~hit], pose, look, lamp, softness)
    touch = np.hypot(*(ground[:, :2] - pose.centre[:2]).T)
    contact = 1 - 0.35 * np.clip(1.05 - touch, 0, 1)
    shade = (1 - shadow * (1 - light)) * contact
    where = local[hit] + way[hit][:, None] * ray
    colour, pip, normal = _paint(where, look)
    world_normal = normal @ pose.axes.T
    lambert = np.clip(world_normal @ lamp, 0, 1)[:, None]
    facing_sky = (0.55 + 0.45 * world_normal[:, 2])[:, None]
    through = look.glow * (1 - pip[:, None])
    direct = lambert * (1 - through) + through * 0.6
    lit = colour * (direct * lamp_colour + facing_sky * sky)
    half = lamp - gaze
    half = half / np.linalg.norm(half)
    glint = np.clip(world_normal @ half, 0, 1) ** (8 + 90 * look.gloss)
    rim = (1 - np.clip(-(world_normal @ gaze), 0, 1)) ** 3
    lit = lit + look.gloss * (1.2 * glint[:, None] * lamp_colour + 0.35 * rim[:, None] * sky)
    if panel is not None:
        place = where @ pose.axes.T
        lit = lit + _mirrored(gaze, world_normal, place, panel)
    shape = (y1 - y0, samples, x1 - x0, samples)
    over = np.zeros((len(hit), 3), np.float32)
    over[hit] = lit
    alpha = hit.astype(np.float32).reshape(shape).mean((1, 3))[..., None]
    dice = over.reshape(*shape, 3).mean((1, 3))
    kept = np.where(hit, 0, shade).astype(np.float32).reshape(shape).mean((1, 3))[..., None]
    kept = kept / np.maximum(1 - alpha, 1e-3)
    area = canvas[y0:y1, x0:x1]
    canvas[y0:y1, x0:x1] = area * np.clip(kept, 0, 1) * (1 - alpha) + dice


def _mirrored(gaze: Array, normal: Array, place: Array, panel: Panel) -> Array:
    """What surface points mirror of a lamp, (N, 3), by their normals and their places in the world (N, 3)."""
    away = gaze - 2 * (normal @ gaze)[:, None] * normal
    slope = away[:, :2] / np.maximum(away[:, 2:], 0.05) + panel.nearness * place[:, :2] - panel.middle
    c, s = np.cos(panel.turn_rad), np.sin(panel.turn_rad)
    inside = np.array(panel.half) - np.abs(slope @ np.array([[c, -s], [s, c]]))
    share = np.prod(1 / (1 + np.exp(np.clip(-inside / panel.blur, -30, 30))), axis=1) * (away[:, 2] > 0)
    return np.asarray(share[:, None] * np.array(panel.light), np.float32)


def _shadow(ground: Array, pose: DiePose, look: DieLook, lamp: Array, softness: float) -> Array:
    """The visible part of the lamp at each ground point (N, 3): (N,), 0 to 1, with a soft edge."""
    local = (ground - pose.centre) @ pose.axes
    ray = (lamp @ pose.axes).astype(np.float32)
    light = np.ones(len(ground), np.float32)
    reach = 2.2
    near = np.square(ground[:, :2] - pose.centre[:2]).sum(-1) < reach * reach
    index = np.nonzero(near)[0]
    way, begin = np.full(len(index), 0.03, np.float32), local[index]
    least = np.ones(len(index), np.float32)
    for _ in range(14):
        d = _distance(begin + way[:, None] * ray, look)
        np.minimum(least, 0.5 + np.float32(0.5 * softness) * d / way, out=least)
        way += np.maximum(d, np.float32(0.05))
    light[index] = np.clip(least, 0, 1)
    return light
