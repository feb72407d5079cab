"""What the settings of a rule profile are called where people read of them, in the history for instance.

docs/PROFILES.md says what each of them does. No name holds a comma: they stand in lists.
"""

from collections.abc import Mapping
from types import MappingProxyType

SETTING_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "start": "Starting position",
        "who_begins": "Who begins",
        "opening_roll": "Opening roll",
        "direction": "Direction of play",
        "doublets": "What doublets are worth",
        "throw_again_after_doublet": "Another throw after a doublet",
        "use_of_numbers": "Use of the numbers",
        "forced_bear_off": "Forced bearing off",
        "bear_off_with_more": "Bearing off with a higher number",
        "gammon": "Worth of a gammon",
        "backgammon": "Worth of a backgammon",
        "cube": "Doubling cube",
        "cube_beyond_64": "Cube beyond 64",
        "declined_double": "Price of a pass",
        "beaver": "Beaver",
        "raccoon": "Raccoon",
        "jacoby": "Jacoby rule",
        "jacoby_ends_with": "End of the Jacoby rule",
        "automatic_doubles": "Automatic doubles",
        "crawford": "Crawford game",
        "double_in_crawford_game": "Double in the Crawford game",
        "cube_after_cocked": "Cube after cocked dice",
        "roll_area": "Where the dice count",
        "opening_area": "Where the opening dice count",
        "die_on_checker": "Die flat on a checker",
        "invalid_roll": "What follows an invalid roll",
        "premature_roll": "Roll before the opponent has finished",
        "dice": "Pairs of dice",
        "board_lies": "How the board lies",
        "end_of_turn": "End of a turn",
        "closed_out": "Closed-out player",
        "illegal_play_pointed_out_by": "Illegal plays",
        "illegal_play_stands_after": "Until when an illegal play can be corrected",
        "wrong_start_stands_after": "Until when a wrong start can be corrected",
        "dispute": "Course of a dispute",
        "clock": "Clock",
        "clock_delay_s": "Delay of the clock",
        "clock_reserve_s_per_point": "Reserve per point",
        "clock_reserve_s_less_per_point_scored": "Reserve lost per point scored",
        "clock_stops_for": "What stops the clock",
        "reserve_used_up": "Reserve used up",
        "late_penalty_after_min": "When lateness is first punished",
        "late_penalty_every_min": "How often lateness is punished",
        "late_match_lost_beyond_half": "Match lost by lateness",
        "aids": "Aids at the table",
    }
)
"""By the name in the settings file; where the page's label is a name, it is the same."""
