"""The summary of an analysed match: figures, the worst plays, the best joker, and the equity over its plays; pure."""

from collections.abc import Mapping
from typing import Any, TypedDict

from companion.protocol.replay import Replay, ReplayStep

WORST = 3
"""Number of worst plays shown."""


class PlayShown(TypedDict):
    """A play with the step before it; `played` and `best` in the notation of GNU Backgammon."""

    step: ReplayStep
    player: str
    played: str
    best: str
    loss: float
    luck: float | None
    equity: float | None


class Moment(TypedDict):
    """South's equity after a play; `n` is the step before it."""

    n: int
    game: int
    equity: float


class MatchSummary(TypedDict):
    """What an analysis says about a match; `joker` is the luckiest roll, `swing` one list for each game."""

    worst: list[PlayShown]
    joker: PlayShown | None
    swing: list[list[Moment]]


def match_summary(replay: Replay, plays: list[Mapping[str, Any]]) -> MatchSummary:
    """The summary of a match.

    Args:
        replay: the match.
        plays: every graded play, as in `Report.plays`.
    """
    steps = {
        tuple(step["turn"]): step for step in reversed(replay["steps"]) if step["turn"]
    }  # the first of each
    shown = [_shown(steps[at], play) for play in plays if (at := tuple(play["turn"])) in steps]
    worst = sorted((one for one in shown if one["loss"] > 0), key=lambda one: -one["loss"])[:WORST]
    joker = max(
        (one for one in shown if (one["luck"] or 0) > 0), key=lambda one: one["luck"] or 0, default=None
    )
    return {"worst": worst, "joker": joker, "swing": _swing(shown)}


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
