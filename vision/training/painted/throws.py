"""Painted boards with ray-cast dice on them: samples of dice and their supports on boards of every make.

    python -m vision.training.painted.throws --out DIR --seeds 1-400 [--held-out] [--wider] [--hard]
    python -m vision.training.painted.throws --out SHEET.png --seeds 1-20 [--held-out] [--wider] [--hard]

Dice lie flat in the open, beside checkers, at rims and beside each other, on checkers and on rims; those that lean
do so on a checker, a rim or another die that is there. No die leans on nothing: so the reading net can learn that one
without a support near it is flat. Of the wider range many cameras are far away or aslant, shadows long and dice rounded
(docs/adr/0093-rounder-dice-and-cameras-farther-away.md). In hard light nearly all of it comes from one lamp, so that
shadows, and the sides of dice that face away from the lamp, are dark; some of these pictures are overexposed, and some
dice are of wood. Into a folder a picture and its truth are written for each seed, half a second each; into a picture, a
sheet of dice to look at.

The net for carried dice learns from them (`nets/carried.py`). Those of families held out set the bounds in
`vision/dice/reader.py` for boards whose lens is not known.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.painted.film import filmed
from vision.training.painted.looks import WOODEN, some_look, wooden
from vision.training.painted.plan import Picture, Plan, random_plan
from vision.training.painted.scene import SHADOWS, Disc, Scene, Shot, random_shot
from vision.training.painted.surroundings import background, light
from vision.training.rendered.dice3d import (
    DieLook,
    DiePose,
    View,
    draw_die,
    face_corners,
    face_value,
    upper_face,
)
from vision.training.rendered.scenes import TrueDie, random_pose
from vision.training.samples.sample import Sample, read_scene

Array = NDArray[np.float64]
KINDS = {
    "open": 5, "beside a checker": 5, "at a rim": 2, "beside a die": 3, "on a checker": 6, "on a rim": 1,
    "leaning on a checker": 7, "leaning on a rim": 2, "leaning on a die": 2,
}  # fmt: skip
"""Kinds of places and how often each is tried."""
TRIES, MOST = 60, 16
CLEAR = 2.2
"""In edges: least distance between the middles of dice that have nothing to do with each other."""
LEAST_LEAN_DEG, MOST_LEAN_DEG = 7.0, 40.0
EDGE_PX = (11.0, 34.0)
"""Of the dice in the picture; the reading net sees them at 22."""
WIDE_PX = (420, 1500)
FAINT = 22.0
"""Levels, of 255, between the darkest and the lightest of a face: with less nobody reads it."""
LOW_LAMP, LAMP_LENGTH = 0.3, (1.6, 3.2)
"""Share of the lamps of the wider range that stand low, and how long they are, see `LAMP_SHARE`."""
LAMP_SHARE = 0.5
"""Of an object's height in pixels: how far the painter throws its shadow for a lamp of length 1."""
STRENGTH, HARD_STRENGTH = (0.2, 0.85), (0.8, 0.98)
"""The lamp's share of the light on a die; the rest comes from everywhere."""
DIE_SHADOW, HARD_DIE_SHADOW = 0.8, 1.0
"""How dark a die's shadow is, of what the lamp's share would take away."""
HARD_SHADOWS = (0.3, 0.8)
"""How dark shadows on the board are in hard light; see `SHADOWS` of `scene.py`."""
OVEREXPOSED, TOO_BRIGHT = 0.25, (1.2, 1.8)
"""Share of the pictures in hard light that are overexposed, and by how much: what is lit is white."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A die on a board: middle in mm, axes as columns of a rotation (3, 3), support's height in mm, and rest."""

    at_mm: Array
    axes: Array
    base_mm: float
    rest: str


class Throw:
    """A painted board on which dice are laid one by one."""

    def __init__(
        self, rng: np.random.Generator, held_out: bool, wider: bool = False, hard: bool = False
    ) -> None:
        """Paint a board without dice.

        Args:
            rng: chooses all that is random.
            held_out: of a family that no net learns from.
            wider: take camera, lamp and dice from a wider range.
            hard: let nearly all light come from the lamp; some dice are of wood, some pictures overexposed.
        """
        self.rng, self.wider, self.hard = rng, wider, hard
        self.plan: Plan = random_plan(rng, held_out)
        self.edge_mm = float(rng.uniform(12.0, 17.5) if rng.random() < 0.85 else rng.uniform(17, 24))
        size, self.shot = self._shot()
        dark = background(rng, size)
        self.scene = Scene(
            rng,
            self.plan,
            self.shot,
            dark,
            dice=False,
            field_px=int(min(size[0], 1300)),
            shadows=HARD_SHADOWS if hard else SHADOWS,
        )
        if wider and rng.random() < LOW_LAMP:
            self.scene.lamp *= rng.uniform(*LAMP_LENGTH) / max(1e-6, float(np.hypot(*self.scene.lamp)))
        self.picture = self.scene.draw()
        lamp = np.array([-self.scene.lamp[0] * LAMP_SHARE, self.scene.lamp[1] * LAMP_SHARE, 1.0])
        self.lamp = (lamp / np.linalg.norm(lamp)).astype(np.float32)
        self.strength = float(rng.uniform(*(HARD_STRENGTH if hard else STRENGTH)))
        self.shadow = self.strength * (HARD_DIE_SHADOW if hard else DIE_SHADOW)
        self.softness = float(np.exp(rng.uniform(np.log(2), np.log(30))))
        first = self._look()
        self.looks = [first, first if rng.random() < 0.5 else self._look(), self._look()]
        self.laid: list[Laid] = []

    def _look(self) -> DieLook:
        """A look of a die."""
        if self.hard and self.rng.random() < WOODEN:
            return wooden(self.rng)
        return some_look(self.rng, self.wider)

    def _shot(self) -> tuple[tuple[int, int], Shot]:
        """A picture's size and a camera under which the dice are as wide as wanted."""
        while True:
            wanted = float(np.exp(self.rng.uniform(np.log(EDGE_PX[0]), np.log(EDGE_PX[1]))))
            wide = int(np.clip(wanted / self.edge_mm * self.plan.size_mm[0] * 1.25, *WIDE_PX)) // 8 * 8
            size = (wide, int(wide * self.rng.choice((0.5625, 0.75, 1.0), p=(0.5, 0.3, 0.2))) // 8 * 8)
            shot = random_shot(self.rng, self.plan, size, upright=True, wider=self.wider)
            edge = self.edge_mm * local_scale(shot, np.zeros(3))
            if EDGE_PX[0] < edge < EDGE_PX[1]:
                return size, shot

    def lay(self, most: int = MOST) -> tuple[TrueDie, ...]:
        """Lay dice until there are as many as wanted, or none finds a place, and draw them; returns those in the
        picture.
        """
        kinds, odds = list(KINDS), np.array(list(KINDS.values()), float)
        for kind in self.rng.choice(kinds, TRIES, p=odds / odds.sum()):
            self.laid += self.placed(str(kind))
            if len(self.laid) >= most:
                break
        return self.drawn()

    def drawn(self) -> tuple[TrueDie, ...]:
        """Draw the dice that are laid; returns those in the picture."""
        out = []
        for die in sorted(self.laid, key=lambda d: d.at_mm[2]):
            look = replace(
                self.looks[int(self.rng.integers(3))], turned=tuple(self.rng.integers(0, 2, 6) > 0)
            )
            self._draw(die, look)
            known = self._truth(die, look)
            h, w = self.picture.shape[:2]
            x, y = known.centre_px
            hidden = any(
                other.rest == "on_die" and np.hypot(*(other.at_mm - die.at_mm)[:2]) < self.edge_mm
                for other in self.laid
                if other is not die
            )
            edge = known.width_px
            if not hidden and edge < x < w - edge and edge < y < h - edge:
                out.append(known)
        return tuple(out)

    def placed(self, kind: str) -> list[Laid]:
        """A new die of that kind, or a pair of dice; empty if the attempt failed."""
        s = self.edge_mm
        if kind in ("open", "beside a checker", "at a rim", "beside a die"):
            return self._flat(kind)
        if kind == "on a checker":
            disc = self._disc()
            if disc is None:
                return []
            way, far = self.rng.uniform(0, 2 * np.pi), disc.radius * np.sqrt(self.rng.uniform(0, 0.85))
            at = np.array([disc.x + far * np.cos(way), disc.y + far * np.sin(way)])
            others = [d for d in self.scene.discs if d.top > disc.top + 1]
            if not self._is_clear(at) or any(
                np.hypot(*(at - (d.x, d.y))) < d.radius + 0.75 * s for d in others
            ):
                return []
            return [self._level(at, disc.top, "on_checker")]
        if kind == "on a rim":
            return self._on_rim()
        return self._leaning(kind)

    def _flat(self, kind: str) -> list[Laid]:
        rng, s = self.rng, self.edge_mm
        w, h = self.plan.size_mm
        at = rng.uniform(-0.5, 0.5, 2) * (w, h)
        disc = self._disc()
        if kind == "beside a checker" and disc is not None:
            way = rng.uniform(0, 2 * np.pi)
            at = np.array([disc.x, disc.y]) + (disc.radius + s * rng.uniform(0.5, 1.3)) * np.array(
                [np.cos(way), np.sin(way)]
            )
        elif kind == "at a rim":
            at[1] = rng.choice((-1, 1)) * (h / 2 - s * rng.uniform(0.5, 1.1))
            if rng.random() < 0.5:
                at = np.array([rng.choice((-1, 1)) * (w / 2 - s * rng.uniform(0.5, 1.1)), at[0] * h / w])
        if not self._on_floor(at) or not self._is_clear(at):
            return []
        one = self._level(at, 0.0, "flat")
        if kind != "beside a die":
            return [one]
        way = rng.uniform(0, 2 * np.pi)
        near = at + s * rng.uniform(1.02, 1.7) * np.array([np.cos(way), np.sin(way)])
        if not self._on_floor(near) or not self._is_clear(near):
            return []
        other = self._level(near, 0.0, "flat")
        corner = np.abs(one.axes[:2, :2].T @ (near - at)).max()
        beside = np.abs(other.axes[:2, :2].T @ (near - at)).max()
        return [one, other] if max(corner, beside) > 1.25 * s or np.hypot(*(near - at)) > 1.42 * s else [one]

    def _on_rim(self) -> list[Laid]:
        rng, plan, s = self.rng, self.plan, self.edge_mm
        if plan.surround not in ("rim", "deep") or plan.rim_mm < 0.7 * s:
            return []
        (w, h), b = plan.size_mm, plan.bar_mm
        at = np.array([rng.uniform(-0.5, 0.5) * w, rng.choice((-1, 1)) * (h / 2 + plan.rim_mm / 2)])
        if plan.bar in ("raised", "frames") and b > s and rng.random() < 0.6:
            at = np.array([rng.uniform(-0.3, 0.3) * b, rng.uniform(-0.45, 0.45) * h])
        return [self._level(at, plan.deep_mm, "on_bar")] if self._is_clear(at) else []

    def _leaning(self, kind: str) -> list[Laid]:
        """A die that leans on something by some degrees, its far lower edge on the floor."""
        rng, plan, s = self.rng, self.plan, self.edge_mm
        lean = rng.uniform(LEAST_LEAN_DEG, MOST_LEAN_DEG)
        flat: list[Laid] = []
        if kind == "leaning on a checker":
            disc = self._disc(lowest=True)
            if disc is None or disc.thick > 0.72 * s:
                return []
            least = float(np.degrees(np.arcsin(disc.thick / s)))
            lean = rng.uniform(max(LEAST_LEAN_DEG, least), max(MOST_LEAN_DEG, least + 3))
            way = rng.uniform(0, 2 * np.pi)
            toward = np.array([np.cos(way), np.sin(way)])
            along = disc.thick / np.tan(np.radians(lean))
            foot = np.array([disc.x, disc.y]) - toward * (disc.radius + along)
            near = disc
        elif kind == "leaning on a rim":
            if plan.surround not in ("rim", "deep") or plan.deep_mm < 0.6 * s:
                return []
            toward = np.array([0.0, float(rng.choice((-1, 1)))])
            if rng.random() < 0.5:
                toward = toward[::-1]
            wall = np.abs(toward @ np.array(plan.size_mm)) / 2
            cross = (
                toward[::-1] * rng.uniform(-0.45, 0.45) * (plan.size_mm[0] if toward[1] else plan.size_mm[1])
            )
            foot = toward * (wall - s * np.cos(np.radians(lean))) + cross
            near = None
        else:
            at = rng.uniform(-0.45, 0.45, 2) * plan.size_mm
            if not self._on_floor(at) or not self._is_clear(at):
                return []
            flat = [self._level(at, 0.0, "flat")]
            toward = self._level_axis(flat[0].axes) * float(rng.choice((-1, 1)))
            foot = at - toward * (s / 2 + s * np.cos(np.radians(lean)))
            near = None
        c, n = np.cos(np.radians(lean)), np.sin(np.radians(lean))
        middle = foot + toward * s / 2 * (c - n)
        if not self._on_floor(middle, near) or not self._is_clear(middle):
            return []
        across = np.array([toward[1], -toward[0], 0.0])
        turn = cv2.Rodrigues(-across * np.radians(lean))[0]
        faces = random_pose(rng, lean=False).axes.astype(np.float64)
        yaw = np.arctan2(toward[1], toward[0]) - np.arctan2(*self._level_axis(faces)[::-1])
        spin = cv2.Rodrigues(np.array([0, 0, yaw]))[0]
        axes = turn @ spin @ faces
        return [*flat, Laid(np.array([*middle, s / 2 * (c + n)]), axes, 0.0, "leaning")]

    @staticmethod
    def _level_axis(axes: Array) -> Array:
        """The direction (2,) of one of a flat die's level axes."""
        level = int(np.argmin(np.abs(axes[2])))
        return np.asarray(axes[:2, level])

    def _level(self, at: Array, base_mm: float, rest: str) -> Laid:
        pose = random_pose(self.rng, lean=False)
        return Laid(np.array([*at, base_mm + self.edge_mm / 2]), pose.axes.astype(np.float64), base_mm, rest)

    def _disc(self, lowest: bool = False) -> Disc | None:
        checkers = [
            d for d in self.scene.discs
            if d.top < 40 and d.radius < 26 and (not lowest or d.top < d.thick + 1)
        ]  # fmt: skip
        return checkers[int(self.rng.integers(len(checkers)))] if checkers else None

    def _on_floor(self, at: Array, near: Disc | None = None) -> bool:
        """Whether a die with its middle there stands on the floor, clear of everything but `near`."""
        (w, h), b, half = self.plan.size_mm, self.plan.bar_mm / 2, self.edge_mm / 2
        walls = self.plan.bar in ("raised", "frames") and self.plan.deep_mm > 0
        inside = abs(at[0]) < w / 2 - half and abs(at[1]) < h / 2 - half
        off_bar = abs(at[0]) > b + half or not (walls or self.plan.bar_mm > 8)
        free = all(
            np.hypot(at[0] - d.x, at[1] - d.y) > d.radius + half * 1.02
            for d in self.scene.discs
            if d is not near
        )
        return bool(inside and off_bar and free)

    def _is_clear(self, at: Array) -> bool:
        return all(np.hypot(*(die.at_mm[:2] - at)) > CLEAR * self.edge_mm for die in self.laid)

    def _draw(self, die: Laid, look: DieLook) -> None:
        """Draw a die into the picture, in place: in a square seen from above, put under the board's camera."""
        s, base = self.edge_mm, np.array([die.at_mm[0], die.at_mm[1], die.base_mm])
        way = jacobian(self.shot, base)
        edge_px = float(np.clip(s * np.sqrt(abs(np.linalg.det(way))) * 1.1, 13, 36))
        top, foot = self.shot.see(np.stack([np.add(base, (0, 0, s)), base]))
        slant = np.linalg.solve(way, top - foot) / s
        view = View(0.0, edge_px, (float(slant[0]), float(slant[1])))
        half = int(np.ceil(edge_px * 2.2))
        onto = np.zeros((2, 3))
        onto[:, :2] = way @ np.diag([1, -1]) * s / edge_px
        onto[:, 2] = foot - 0.5 - onto[:, :2] @ (half, half) + onto[:, :2] @ (0.5, 0.5)
        size = (2 * half, 2 * half)
        there = cv2.warpAffine(
            self.picture,
            onto,
            size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REFLECT,
        )
        ground = ((there[..., ::-1].astype(np.float32) / 255) ** 2.2).astype(np.float32)
        canvas = ground.copy()
        lamp_colour, sky = np.full(3, self.strength, np.float32), np.full(3, 1 - self.strength, np.float32)
        centre = np.array([0, 0, (die.at_mm[2] - die.base_mm) / s], np.float32)
        pose = DiePose(centre, die.axes.astype(np.float32))
        draw_die(
            canvas,
            (half, half),
            view,
            pose,
            look,
            self.lamp,
            lamp_colour,
            sky,
            self.shadow,
            self.softness,
        )
        self._back(canvas, ground, onto)

    def _back(self, canvas: NDArray[np.float32], ground: NDArray[np.float32], onto: Array) -> None:
        """Put what changed in the square back into the picture."""
        changed = (np.abs(canvas - ground).max(-1) > 0.002).astype(np.float32)
        changed = cv2.GaussianBlur(cv2.dilate(changed, np.ones((3, 3), np.uint8)), (0, 0), 0.7)
        now = np.clip(canvas, 0, 1)[..., ::-1] ** (1 / 2.2) * 255
        n = canvas.shape[0]
        corners = np.array([(0, 0), (n, 0), (n, n), (0, n)]) @ onto[:, :2].T + onto[:, 2]
        h, w = self.picture.shape[:2]
        x0, y0 = np.clip(np.floor(corners.min(0)).astype(int), 0, (w - 1, h - 1))
        x1, y1 = np.clip(np.ceil(corners.max(0)).astype(int), (x0 + 1, y0 + 1), (w, h))
        shift = onto.copy()
        shift[:, 2] -= (x0, y0)
        both = np.dstack([now.astype(np.float32), changed])
        shown = cv2.warpAffine(both, shift, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_AREA)
        share = shown[..., 3:]
        area = self.picture[y0:y1, x0:x1]
        self.picture[y0:y1, x0:x1] = np.clip(area * (1 - share) + shown[..., :3] * share, 0, 255).astype(
            np.uint8
        )

    def _truth(self, die: Laid, look: DieLook) -> TrueDie:
        s = self.edge_mm
        pose = DiePose((die.at_mm / s).astype(np.float32), die.axes.astype(np.float32))
        axis, sign, tilt = upper_face(pose)
        corners = self.shot.see(np.asarray(face_corners(pose, axis, sign), np.float64) * s)
        middle = corners.mean(0)
        second = np.sort(np.abs(pose.axes[2]))[-2]
        margin = float(np.degrees(np.arccos(min(1.0, second)))) - tilt
        own = die.axes[:, axis] * sign
        return TrueDie(
            face_value(axis, sign, look.left_handed),
            (float(middle[0]), float(middle[1])),
            float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean()),
            die.rest,
            tilt if die.rest == "leaning" else 0.0,
            margin,
            self._seen_along(die.at_mm, np.array([0, 0, 1.0])),
            self._seen_along(die.at_mm, own),
        )

    def _seen_along(self, at: Array, way: Array) -> tuple[float, float]:
        there, here = self.shot.see(np.stack([at + way, at]))
        x, y = (there - here) / local_scale(self.shot, at)
        return float(x), float(y)


def jacobian(shot: Shot, at: Array) -> Array:
    """How the picture's pixels change with X and Y in mm at a place (3,): (2, 2)."""
    here, right, ahead = shot.see(np.stack([at, np.add(at, (1, 0, 0)), np.add(at, (0, 1, 0))]))
    return np.stack([right - here, ahead - here], 1)


def local_scale(shot: Shot, at: Array) -> float:
    """Pixels to a mm at a place (3,)."""
    return float(np.sqrt(abs(np.linalg.det(jacobian(shot, at)))))


def painted_throw(seed: int, held_out: bool = False, wider: bool = False, hard: bool = False) -> Sample:
    """The painted board of a seed with its dice; those that are too faint to be read have no certain upper face."""
    return painted_board(seed, held_out, wider, hard)[0]


def painted_board(
    seed: int, held_out: bool = False, wider: bool = False, hard: bool = False
) -> tuple[Sample, Array]:
    """The same, and where the surface's corners and the bar's ends are in the picture, see `Plan.marks`."""
    rng = np.random.default_rng([seed, 20261122])
    throw = Throw(rng, held_out, wider, hard)
    dice = throw.lay()
    return photographed(rng, throw, dice, f"painted_{seed}"), throw.shot.on(throw.plan.marks)


def photographed(rng: np.random.Generator, throw: Throw, dice: tuple[TrueDie, ...], name: str) -> Sample:
    """The picture of a throw whose dice are drawn, as a camera gives it, and its dice."""
    widths = [die.width_px for die in dice]
    bright = rng.uniform(*TOO_BRIGHT) if throw.hard and rng.random() < OVEREXPOSED else 1.0
    picture = filmed(rng, light(rng, throw.picture), min(widths, default=EDGE_PX[0]), bright)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    dice = tuple(die if _contrast(grey, die) > FAINT else replace(die, margin_deg=0.0) for die in dice)
    return Sample(picture, dice, "painted", name)


def _contrast(grey: NDArray[np.uint8], die: TrueDie) -> float:
    """Levels between the darkest and the lightest tenth of the middle of a die's upper face."""
    (x, y), half = die.centre_px, die.width_px * 0.4
    face = grey[int(y - half) : int(y + half) + 1, int(x - half) : int(x + half) + 1]
    return float(np.ptp(np.quantile(face, (0.08, 0.92)))) if face.size else 0.0


def read_painted(folder: Path) -> Iterator[Sample]:
    """The painted boards in a folder, .jpg with .json, one after another: all at once would fill the memory."""
    for truth in sorted(folder.glob("*.json")):
        yield replace(read_scene(truth), origin="painted")


def write(folder: Path, seed: int, held_out: bool, wider: bool, hard: bool) -> None:
    """Paint the board of a seed into a folder, unless it is there."""
    path = folder / f"p{seed:06d}"
    if not path.with_suffix(".json").exists():
        sample = painted_throw(seed, held_out, wider, hard)
        cv2.imwrite(str(path.with_suffix(".jpg")), sample.image, [cv2.IMWRITE_JPEG_QUALITY, 97])
        path.with_suffix(".json").write_text(json.dumps([asdict(die) for die in sample.dice]))


def sheet(samples: Iterable[Sample]) -> Picture:
    """Dice of these boards with their truth, to look at."""
    rng = np.random.default_rng(1)
    tiles: list[Picture] = []
    for sample in samples:
        for die in [sample.dice[k] for k in rng.permutation(len(sample.dice))[:6]]:
            scale = 30 / die.width_px
            x, y = die.centre_px
            m = np.array([[scale, 0, 64 - scale * x], [0, scale, 64 - scale * y]])
            tile = cv2.warpAffine(sample.image, m, (128, 144), flags=cv2.INTER_LINEAR)
            tile[128:] = 0
            text = f"{die.value} {die.rest[:8]} {die.tilt_deg:.0f} {die.width_px:.0f}px"
            cv2.putText(tile, text, (2, 140), 0, 0.36, (255, 255, 255), 1, cv2.LINE_AA)
            tiles.append(np.asarray(tile, np.uint8))
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 12)
    return np.vstack([np.hstack(tiles[k : k + 12]) for k in range(0, len(tiles), 12)])


def main() -> None:
    """Write the pictures, or the sheet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", required=True, metavar="A-B")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--wider", action="store_true", help="cameras, lamps and dice from a wider range")
    parser.add_argument("--hard", action="store_true", help="nearly all light comes from one lamp")
    args = parser.parse_args()
    first, last = (int(v) for v in args.seeds.split("-"))
    seeds, kind = range(first, last + 1), (args.held_out, args.wider, args.hard)
    if args.out.suffix:
        cv2.imwrite(str(args.out), sheet(painted_throw(seed, *kind) for seed in seeds))
        return
    args.out.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        write(args.out, seed, *kind)


if __name__ == "__main__":
    main()
