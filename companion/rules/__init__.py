"""The rules of backgammon as pure functions of values. Nothing here knows a match, a camera, a disk or a clock."""

from companion.rules.board import BAR, OFF, Board, Die, Position, Problem, Roll, Side
from companion.rules.cube_and_score import Crawford, Cube, Ending, Result, Score, Worth
from companion.rules.moves import Move, Play
from companion.rules.notation import find_play, write_play
from companion.rules.play_legality import Turn
from companion.rules.plays import Plays, legal_plays, plays_for
from companion.rules.profile import Profile
from companion.rules.profiles import PROFILES
from companion.rules.referee import (
    Cocked,
    DieAtRest,
    Half,
    Reason,
    Rest,
    RollingRules,
    Ruling,
    ThrowKind,
    Unread,
    Valid,
    rule,
)

__all__ = [
    "BAR",
    "OFF",
    "PROFILES",
    "Board",
    "Cocked",
    "Crawford",
    "Cube",
    "Die",
    "DieAtRest",
    "Ending",
    "Half",
    "Move",
    "Play",
    "Plays",
    "Position",
    "Problem",
    "Profile",
    "Reason",
    "Rest",
    "Result",
    "Roll",
    "RollingRules",
    "Ruling",
    "Score",
    "Side",
    "ThrowKind",
    "Turn",
    "Unread",
    "Valid",
    "Worth",
    "find_play",
    "legal_plays",
    "plays_for",
    "rule",
    "write_play",
]
