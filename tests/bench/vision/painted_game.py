"""Painted recordings of whole games with truth, in the form of the shared renderer's: boards of families held out.

    python -m tests.bench.vision.painted_game --out DIR --seeds 1-3 [--illegal SHARE]

A game of random plays to its end, dice and all, on one board under one camera: throws (some cocked), plays (a few
illegal), arms in the picture. A turn takes some seconds instead of the renderer's minute; what is painted looks less
like the world than what is rendered. `make bench ARGS=games` scores the folder.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.rules.board import BAR, OFF, Board, Side
from tests.support.camera.checker_views import TurnPlayed, random_game
from vision.board.calibration import Board as BoardFile
from vision.training.painted.checkers import CheckerScene, Counts, with_arms
from vision.training.painted.film import filmed
from vision.training.painted.looks import some_look
from vision.training.painted.plan import Picture, Plan, random_plan
from vision.training.painted.scene import Disc, Shot, random_shot
from vision.training.painted.surroundings import background, light
from vision.training.painted.throws import DIE_SHADOW, LAMP_SHARE, Laid, Throw, local_scale
from vision.training.samples.sample import NOISE

SIZE = (1280, 720)
EDGE_MM = (13.0, 17.0)
LEAST_DIE_PX, LEAST_POINT_PX = 17.0, 24.0
COCKED = 0.08
PHASES_S = 0.2
"""Time between two pictures."""
TRIES = 2000
SQUARE = 1.06
"""Most ratio of a pixel's sides; the painter stretches some pictures more."""


def counts_of(board: Board) -> Counts:
    """The checkers by physical point, south's first, and on the bar's halves: south's on the upper one.

    Without those that are pinned, and those that have not entered.
    """
    counts = np.zeros((26, 2), np.int64)
    for n, count in enumerate(board.seen_by(Side.SOUTH).ints()[1:BAR]):
        counts[n] = (max(count, 0), max(-count, 0))
    counts[24, 0], counts[25, 1] = (
        side[BAR] - waiting
        for side, waiting in zip((board.south, board.north), board.not_entered, strict=True)
    )
    return counts


class GameScene(CheckerScene):
    """The board of a game with the checkers of a position; what stays in its place looks the same in every picture."""

    def __init__(self, seed: int, plan: Plan, shot: Shot, board: Board) -> None:
        self.seed, self.board = seed, board
        rng = np.random.default_rng([seed, 2])
        super().__init__(rng, plan, shot, background(rng, SIZE), dice=False, field_px=1300)

    def chance(self, *key: int) -> np.random.Generator:
        """The chance of a point, or of a checker at its place."""
        return np.random.default_rng([self.seed, 3, *key])

    def _some_counts(self) -> Counts:
        return counts_of(self.board)

    def _places(self, thick: float) -> list[tuple[float, float, float, int]]:
        """The checkers, a pinned one under the first of those above it."""
        out, at = super()._places(thick), 0
        under = self.board.seen_by(Side.SOUTH).under() or [0] * 26
        for n, count in enumerate(self.counts[:24].max(1), 1):
            if under[n]:
                x, y, z, _ = out[at]
                lifted = [
                    (u, v, w + thick if np.hypot(u - x, v - y) < self.radius else w, side)
                    for u, v, w, side in out[at : at + count]
                ]
                out[at : at + count] = lifted
                out.append((x, y, z, 0 if under[n] > 0 else 1))
            at += int(count)
        return out

    def _in_trays(self, thick: float) -> list[tuple[float, float, float, int]]:
        """What is borne off, in the right tray or the left; without a tray it is out of the picture."""
        plan = self.plan
        if not any(plan.trays_mm):
            return []
        x = plan.size_mm[0] / 2 + plan.divider_mm + plan.trays_mm[1] / 2
        if not plan.trays_mm[1]:
            x = -plan.size_mm[0] / 2 - plan.divider_mm - plan.trays_mm[0] / 2
        return [
            (x, up * (plan.size_mm[1] / 2 - self.radius * (1 + 2.05 * (n // 4))), thick * (n % 4), side)
            for side, up, off in ((0, -1, self.board.south[OFF]), (1, 1, self.board.north[OFF]))
            for n in range(off)
        ]

    def _draw_discs(self, places: list[tuple[float, float, float, int]], thick: float) -> None:
        super()._draw_discs(places, thick)
        self.lying = [Disc(x, y, z + thick, self.radius, thick) for x, y, z, _ in places]

    def _others(self) -> None:
        """No dice but those that are thrown."""
        self.discs = self.lying


class NoRoomError(Exception):
    """A die found no place of its kind."""


class GameThrow(Throw):
    """Dice on the board of a game, in one half of it."""

    def __init__(self, table: "PaintedTable", scenes: Sequence[GameScene], key: int, side: Side) -> None:
        self.rng = np.random.default_rng([table.seed, 4, key])
        self.plan, self.shot, self.edge_mm = table.plan, table.shot, table.edge_mm
        self.scene = scenes[0]
        self.scene.discs = [disc for scene in scenes for disc in scene.lying]
        self.looks = [table.looks[side]] * 3
        self.laid = []

    def throw(self, halves: Sequence[float], cocked: bool) -> list[Laid]:
        """Two dice, each in the half on the side of its sign; the second leans on a checker if `cocked`.

        NoRoomError if one finds no place.
        """
        for half, kind in zip(halves, ("flat", "leaning" if cocked else "flat"), strict=True):
            for _ in range(TRIES):
                wanted = "leaning on a checker" if kind == "leaning" else self._flat_kind()
                found = self.placed(wanted)
                if found and all(die.at_mm[0] * half > self.plan.bar_mm / 2 + self.edge_mm for die in found):
                    self.laid += found[:1]
                    break
            else:
                raise NoRoomError
        return self.laid

    def _flat_kind(self) -> str:
        return str(self.rng.choice(("open", "beside a checker", "at a rim"), p=(0.6, 0.3, 0.1)))


class DiceDrawn(Throw):
    """A picture with dice that lie as they were thrown."""

    def __init__(self, table: "PaintedTable", scene: GameScene, picture: Picture, throw: GameThrow) -> None:
        self.rng = np.random.default_rng([table.seed, 5])
        self.plan, self.shot, self.edge_mm, self.scene = table.plan, table.shot, table.edge_mm, scene
        self.picture = picture.copy()
        lamp = np.array([-scene.lamp[0] * LAMP_SHARE, scene.lamp[1] * LAMP_SHARE, 1.0])
        self.lamp = (lamp / np.linalg.norm(lamp)).astype(np.float32)
        self.strength, self.softness = table.strength, table.softness
        self.shadow = self.strength * DIE_SHADOW
        self.looks, self.laid = throw.looks, throw.laid


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of a position: the scene, and its picture without dice and faults."""

    scene: GameScene
    picture: Picture


class PaintedTable:
    """A board under a camera, with two pairs of dice, all of one seed."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng([seed, 1])
        self.seed, self.plan = seed, random_plan(rng, held_out=True)
        self.edge_mm = float(rng.uniform(*EDGE_MM))
        while not self._is_near(shot := random_shot(rng, self.plan, SIZE, upright=True)):
            pass
        self.shot = shot
        self.looks = {side: some_look(rng) for side in Side}
        self.strength, self.softness = float(rng.uniform(0.2, 0.85)), float(np.exp(rng.uniform(0.7, 3.4)))
        self.noise = float(rng.uniform(0.5, 4.0))
        self._pictures = 0

    def _is_near(self, shot: Shot) -> bool:
        """Whether the whole board is in the picture, its pixels square, and dice and points wide enough to be read."""
        x0, y0, x1, y1 = self.plan.outer
        corners = shot.on(np.array([(x0, y1), (x1, y1), (x1, y0), (x0, y0)]), self.plan.deep_mm)
        px = local_scale(shot, np.zeros(3))
        wide = (self.plan.size_mm[0] - self.plan.bar_mm) / 12 * px
        inside = bool(np.all((corners > 0) & (corners < SIZE)))
        inside = inside and np.linalg.cond(shot.onto[:, :2]) < SQUARE
        return inside and self.edge_mm * px > LEAST_DIE_PX and wide > LEAST_POINT_PX

    def board(self) -> BoardFile:
        """The board as a board file has it."""
        corners = self.shot.on(self.plan.marks[:4])
        return BoardFile(
            SIZE, tuple((float(x), float(y)) for x, y in corners), self.plan.size_mm, self.plan.bar_mm
        )

    def scene(self, board: Board) -> Shown:
        """The board with the checkers of a position."""
        scene = GameScene(self.seed, self.plan, self.shot, board)
        return Shown(scene, scene.draw())

    def frame(self, picture: Picture, arm: int | None = None) -> Picture:
        """The picture as the camera gives it, with noise of its own, and with an arm in it."""
        if arm is not None:
            picture = with_arms(np.random.default_rng([self.seed, 6, arm]), picture)[0]
        lit = light(np.random.default_rng([self.seed, 7]), picture)
        out = filmed(np.random.default_rng([self.seed, 8]), lit, LEAST_DIE_PX).astype(np.float32)
        self._pictures += 1
        start = self._pictures * 7919 % (len(NOISE) // 2)
        return np.clip(out + np.resize(NOISE[start:], out.shape) * self.noise, 0, 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Phase:
    """Some pictures of one moment of a turn."""

    name: str
    turn: int
    picture: Picture
    many: int
    has_arm: bool = False


class PaintedGame:
    """A game on a painted table: `phases` are its moments in order, `turns` the truth once they have been drawn."""

    def __init__(self, seed: int, illegal: float) -> None:
        self.table, self.game = PaintedTable(seed), random_game(random.Random(seed), illegal)
        self.rng = random.Random(seed + 1)
        self.turns: list[dict[str, Any]] = []

    def phases(self) -> Iterator[Phase]:
        """The moments of the game."""
        shown = self.table.scene(self.game[0].before)
        yield Phase("start", 0, shown.picture, 4)
        for number, played in enumerate(self.game):
            after = self.table.scene(played.after)
            if number and self.rng.random() < COCKED:
                with suppress(NoRoomError):  # late in a game no checker may be there to lean on
                    yield from self._thrown(played, (shown,), cocked=True)
            yield from self._thrown(played, (shown, after), cocked=False)
            shown = after

    def _thrown(self, played: TurnPlayed, scenes: Sequence[Shown], *, cocked: bool) -> Iterator[Phase]:
        """A throw, the play, and the dice lifted; after a cocked one the dice alone are."""
        turn, before, after = len(self.turns), scenes[0], scenes[-1]
        own = 1.0 if played.side is Side.SOUTH else -1.0
        throw = GameThrow(self.table, [one.scene for one in scenes], turn, played.side)
        throw.throw((1.0, -1.0) if not turn else (own, own), cocked)
        self._face_up(throw, played, turn)
        lying = self._with_dice(before, throw)
        yield Phase("settled", turn, lying, 4)
        yield Phase("arm", turn, lying, 2, has_arm=True)
        if not cocked and played.after != played.before:
            yield Phase("moved", turn, self._with_dice(after, throw), 3)
            yield Phase("arm", turn, after.picture, 2, has_arm=True)
        yield Phase("lifted", turn, after.picture, 3)
        self.turns.append(
            {
                "turn": turn,
                "player": played.side.value,
                "category": "cocked" if cocked else "valid" if turn else "opening",
                "roll": list(played.roll),
                "legal": cocked or played.legal,
                "moved": not cocked and played.after != played.before,
                "before": truth_of(played.before),
                "after": truth_of(played.before if cocked else played.after),
            }
        )

    def _face_up(self, throw: GameThrow, played: TurnPlayed, turn: int) -> None:
        """Turn the dice so that they show the roll; in the opening the higher die is the winner's."""
        faces = list(played.roll)
        if not turn and played.side is Side.NORTH:
            faces.reverse()
        throw.laid = [turned_to(throw, die, face) for die, face in zip(throw.laid, faces, strict=True)]

    def _with_dice(self, shown: Shown, throw: GameThrow) -> Picture:
        drawn = DiceDrawn(self.table, shown.scene, shown.picture, throw)
        drawn.drawn()
        return drawn.picture


def turned_to(throw: GameThrow, die: Laid, face: int) -> Laid:
    """The die with another face up, its edges where they are."""
    for order, signs in product(permutations(range(3)), product((-1.0, 1.0), repeat=3)):
        axes = die.axes[:, order] * signs
        other = Laid(die.at_mm, axes, die.base_mm, die.rest)
        if np.linalg.det(axes) > 0 and throw._truth(other, throw.looks[0]).value == face:
            return other
    raise AssertionError(f"a die has no {face}")


def truth_of(board: Board) -> dict[str, Any]:
    """A position as the shared renderer writes it: by physical point, south is A."""
    counts = counts_of(board)
    return {
        "A": counts[:24, 0].tolist(),
        "B": counts[:24, 1].tolist(),
        "bar": {"A": board.south[BAR], "B": board.north[BAR]},
        "off": {"A": board.south[OFF], "B": board.north[OFF]},
    }


def write(folder: Path, seed: int, illegal: float) -> None:
    """Write the recording of a seed into a folder of its own, unless it is there."""
    place = folder / f"u_painted_{seed:06d}"
    if (place / "match.json").exists():
        return
    place.mkdir(parents=True, exist_ok=True)
    game, frames = PaintedGame(seed, illegal), []
    for phase in game.phases():
        for _ in range(phase.many):
            name = f"frame_{len(frames):05d}.jpg"
            arm = len(frames) if phase.has_arm else None
            picture = game.table.frame(phase.picture, arm)
            cv2.imwrite(str(place / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
            frames.append(
                {
                    "image": name,
                    "t_s": round(PHASES_S * len(frames), 2),
                    "phase": phase.name,
                    "turn": phase.turn,
                }
            )
    truth = {"kind": "match", "fps": 5, "finished": True, "south": "A", "north": "B", "seed": seed}
    truth |= {"start": game.turns[0]["before"], "turns": game.turns, "frames": frames}
    (place / "board.json").write_text(json.dumps(game.table.board().to_json()))
    (place / "match.json").write_text(json.dumps(truth))


def main() -> None:
    """Write the recordings."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--seeds", required=True, metavar="A-B")
    parser.add_argument("--illegal", type=float, default=0.04, metavar="SHARE")
    args = parser.parse_args()
    first, last = (int(v) for v in args.seeds.split("-"))
    for seed in range(first, last + 1):
        write(args.out, seed, args.illegal)


if __name__ == "__main__":
    main()
