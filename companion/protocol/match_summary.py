"""The summary of an analysed match: the costliest decisions, the best joker, and the equity over its plays; pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from companion.protocol.replay import Replay, ReplayStep
from companion.protocol.shapes import Say

WORST = 3
"""Number of costliest decisions shown."""


class PlayShown(TypedDict):
    """A play with the step before it; `played` and `best` in the notation of GNU Backgammon."""

    step: ReplayStep
    player: str
    played: str
    best: str
    loss: float
    luck: float | None
    equity: float | None


class CubeShown(TypedDict):
    """A mistake with the cube; `step` has the position and the offer, null where none is found; `kind` as analysed."""

    step: ReplayStep | None
    player: str
    kind: str
    loss: float
    text: str
    error: str
    say: Say


class Moment(TypedDict):
    """South's equity after a play; `n` is the step before it."""

    n: int
    game: int
    equity: float


class MatchSummary(TypedDict):
    """What an analysis says about a match.

    `worst` has plays and cube decisions, `cube` all mistakes with the cube in order, `joker` is the luckiest roll,
    `swing` has one list for each game.
    """

    worst: list[PlayShown | CubeShown]
    cube: list[CubeShown]
    joker: PlayShown | None
    swing: list[list[Moment]]


def match_summary(
    replay: Replay, plays: Sequence[Mapping[str, Any]], cube: Sequence[Mapping[str, Any]] = ()
) -> MatchSummary:
    """The summary of a match.

    Args:
        replay: the match.
        plays: every graded play, as in `Report.plays`.
        cube: every mistake with the cube, as in `Report.cube_errors`.
    """
    steps = {
        tuple(step["turn"]): step for step in reversed(replay["steps"]) if step["turn"]
    }  # the first of each
    shown = [_shown(steps[at], play) for play in plays if (at := tuple(play["turn"])) in steps]
    offers = _offers(replay["steps"])
    cubes = [_cube_shown(one, steps, offers) for one in cube]
    lost: list[PlayShown | CubeShown] = [one for one in shown if one["loss"] > 0]
    lost += [one for one in cubes if one["step"]]
    worst = sorted(lost, key=lambda one: -one["loss"])[:WORST]
    joker = max(
        (one for one in shown if (one["luck"] or 0) > 0), key=lambda one: one["luck"] or 0, default=None
    )
    return {"worst": worst, "cube": cubes, "joker": joker, "swing": _swing(shown)}


def _shown(step: ReplayStep, play: Mapping[str, Any]) -> PlayShown:
    mover = step["on_roll"]
    assert mover is not None, "a roll is somebody's"
    return {
        "step": step,
        "player": step["players"][mover],
        "played": play["played"],
        "best": play["best"],
        "loss": play["loss"],
        "luck": play["luck"],
        "equity": play["equity"],
    }


def _offers(steps: Iterable[ReplayStep]) -> dict[tuple[int, int], list[ReplayStep]]:
    """The steps with an open double, by game and number of the legal plays before it."""
    found: dict[tuple[int, int], list[ReplayStep]] = {}
    begun: dict[int, int] = {}
    for step in steps:
        if step["turn"]:
            begun[step["game"]] = step["turn"][1] + 1
        if step["phase"] == "doubled":
            found.setdefault((step["game"], begun.get(step["game"], 0)), []).append(step)
    return found


def _cube_shown(
    error: Mapping[str, Any],
    rolls: Mapping[tuple[int, ...], ReplayStep],
    offers: Mapping[tuple[int, int], Sequence[ReplayStep]],
) -> CubeShown:
    game, number = error["turn"]
    offered, roll = offers.get((game, number), ()), rolls.get((game, number))
    step = None
    if error["kind"].startswith("missed") and roll:  # the position in which he rolled instead
        step = roll.copy()
        step["roll"], step["moves"], step["phase"], step["picture"] = None, None, "on_roll", None
    elif offered:
        step = offered[0 if error["kind"].endswith("double") else -1]
    return {
        "step": step,
        "player": error["player"],
        "kind": error["kind"],
        "loss": error["loss"],
        "text": error["text"],
        "error": error["error"],
        "say": error["say"],
    }


def _swing(shown: list[PlayShown]) -> list[list[Moment]]:
    games: dict[int, list[Moment]] = {}
    for one in shown:
        if one["equity"] is not None:
            step = one["step"]
            equity = one["equity"] if step["on_roll"] == "south" else -one["equity"]
            games.setdefault(step["game"], []).append(
                {"n": step["n"], "game": step["game"], "equity": equity}
            )
    return list(games.values())
