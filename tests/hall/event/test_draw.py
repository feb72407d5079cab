"""The draw of an event: everybody meets whom he should, byes go round, and the results alone say what comes next."""

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.hall.protocol.draw import (
    DrawError,
    Drawn,
    Entrant,
    Kind,
    Result,
    as_line,
    draw,
    entrants_in,
    results_in,
)
from companion.hall.protocol.pairings import pairings_in

EVENT = "Club Open"


def players(count: int) -> list[Entrant]:
    """So many, the strongest first."""
    return [Entrant(f"P{number:02d}") for number in range(1, count + 1)]


def played(drawn: Drawn, winner: str) -> Result:
    return Result(drawn.event, drawn.round, winner, ({drawn.south, drawn.north} - {winner}).pop())


@pytest.mark.parametrize("count", [2, 3, 4, 7, 8, 33])
def test_round_robin_has_every_pair_once_and_nobody_twice_in_a_round(count: int) -> None:
    found = draw("round-robin", EVENT, players(count), [])
    pairs = Counter(frozenset((one.south, one.north)) for one in found)
    assert len(pairs) == count * (count - 1) // 2
    assert set(pairs.values()) == {1}
    for number in {one.round for one in found}:
        there = [name for one in found if one.round == number for name in (one.south, one.north)]
        assert len(there) == len(set(there)) == count - count % 2
    rest = draw("round-robin", EVENT, players(count), [played(found[0], found[0].south)])
    assert rest == found[1:]


def _matchings(names: list[str]) -> Iterator[list[frozenset[str]]]:
    """Every way to pair all of them."""
    if not names:
        yield []
    for at in range(1, len(names)):
        for rest in _matchings(names[1:at] + names[at + 1 :]):
            yield [frozenset((names[0], names[at])), *rest]


def _apart(pairs: Iterable[frozenset[str]], wins: Mapping[str, int]) -> int:
    """How far the players of these pairs are apart, squared."""
    return sum((max(wins[one] for one in pair) - min(wins[one] for one in pair)) ** 2 for pair in pairs)


@pytest.mark.parametrize(("count", "rounds"), [(8, 5), (9, 5), (16, 6), (33, 6)])
def test_swiss_pairs_equals_who_have_not_met_and_gives_nobody_two_byes(count: int, rounds: int) -> None:
    rng, results, byes, wins = random.Random(count), list[Result](), Counter[str](), Counter[str]()
    entrants = players(count)
    for number in range(1, rounds + 1):
        found = draw("swiss", EVENT, entrants, results)
        assert found == draw("swiss", EVENT, entrants, results)
        assert {one.round for one in found} == {str(number)}
        there = [name for one in found for name in (one.south, one.north)]
        assert len(there) == len(set(there)) == count - count % 2
        for name in {one.name for one in entrants} - set(there):
            byes[name] += 1
            assert wins[name] == min(
                wins[one.name] for one in entrants if byes[one.name] == (one.name == name)
            )
            wins[name] += 1
        if count == 8:
            met = {one.players for one in results}
            best = min(_apart(pairs, wins) for pairs in _matchings(sorted(there)) if not met & set(pairs))
            assert _apart([frozenset((one.south, one.north)) for one in found], wins) == best
        for one in found:
            winner = rng.choice((one.south, one.north))
            wins[winner] += 1
            results.append(played(one, winner))
    assert max(Counter(one.players for one in results).values()) == 1
    assert max(byes.values(), default=0) <= 1


def test_swiss_begins_with_the_first_half_against_the_second() -> None:
    found = draw("swiss", EVENT, players(8), [])
    assert [(one.south, one.north) for one in found] == [
        ("P01", "P05"),
        ("P02", "P06"),
        ("P03", "P07"),
        ("P04", "P08"),
    ]


def test_swiss_waits_for_the_round_before_and_takes_who_comes_later() -> None:
    first = draw("swiss", EVENT, players(4), [])
    one = [played(first[0], first[0].south)]
    with pytest.raises(DrawError, match="Round 1 is not over: there is no result of P02, P04"):
        draw("swiss", EVENT, players(4), one)
    both = [*one, played(first[1], first[1].south)]
    late = [*players(4), Entrant("Eva", 2), Entrant("Max", 2)]
    second = draw("swiss", EVENT, late, both)
    assert {name for pair in second for name in (pair.south, pair.north)} == {one.name for one in late}
    assert {one.round for one in second} == {"2"}


def test_swiss_in_which_everybody_comes_later_has_no_match_yet() -> None:
    with pytest.raises(DrawError, match="No match of this event is left"):
        draw("swiss", "Open", entrants_in("Ann, 2\nBen, 2"), [])


def test_swiss_says_when_all_have_met() -> None:
    results = [Result(EVENT, "1", "P01", "P02")]
    with pytest.raises(DrawError, match="no round left"):
        draw("swiss", EVENT, players(2), results)


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 16])
def test_elimination_ends_with_one_and_its_consolation_has_those_who_lost_their_first_match(
    count: int,
) -> None:
    rng, results = random.Random(count), list[Result]()
    while found := draw("elimination", EVENT, players(count), results):
        one = rng.choice(found)
        results.append(played(one, rng.choice((one.south, one.north))))
    main_draw = [one for one in results if one.event == EVENT]
    consolation = [one for one in results if one.event == f"{EVENT} consolation"]
    assert len(main_draw) == count - 1
    assert len({one.loser for one in main_draw}) == count - 1
    first_losers = {one.loser for one in main_draw} - {one.winner for one in main_draw}
    assert len(consolation) == max(0, len(first_losers) - 1)
    assert {name for one in consolation for name in one.players} == (
        first_losers if len(first_losers) > 1 else set()
    )


def test_elimination_has_the_strongest_apart_and_gives_them_the_byes() -> None:
    found = draw("elimination", EVENT, players(6), [])
    assert [(one.south, one.north) for one in found] == [("P04", "P05"), ("P03", "P06")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ann", "2 to 512 players"),
        ("Ann\nBen\nAnn", "Line 3: each player once"),
        ("Ann\nBen\nANN\nEva", "Line 3: each player once"),
        ("Ann\nBen,x", "Line 2: write a name"),
        ("Ann\nBen,0", "Line 2: write a name"),
        ('Ann\n"Ben", x', "Line 2: write a name"),
        ("Ann\n,2", "Line 2: each player once"),
    ],
)
def test_players_that_cannot_be_used_are_named(text: str, said: str) -> None:
    with pytest.raises(DrawError, match=said):
        entrants_in(text)


@pytest.mark.parametrize(
    "name", ["Ann", "von W., Max", 'Max "M" O', '"Buffy" Ann', '"Eva"', "Eva; x", "O'Neil", "李 小龙"]
)
def test_any_name_can_be_drawn(name: str) -> None:
    assert entrants_in(f"{as_line(name)}\nBen") == [Entrant(name), Entrant("Ben")]
    assert entrants_in(f"{as_line(name)}, 3\nBen") == [Entrant(name, 3), Entrant("Ben")]


@pytest.mark.parametrize("line", ['"Ann" x', 'Ann "x"', '"Ann'])
def test_quotation_marks_within_a_name_are_part_of_it(line: str) -> None:
    assert entrants_in(f"{line}\nBen")[0] == Entrant(line)


def test_command_prints_a_list_that_the_hall_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "players.txt").write_text("Ann\nBen\n\nEva\nMax, 2\n")
    result = {"event": EVENT, "round": "1", "over_at": "2026-11-24T20:00:00", "south": "Ann", "north": "Ben"}
    other = {**result, "event": "other"}
    file = tmp_path / "results.json"
    file.write_text(
        json.dumps({"results": [{**result, "winner": "north", "table": "3"}, {**other, "winner": None}]})
    )
    order = ["draw", str(tmp_path / "players.txt"), "--event", EVENT, "--length", "7", "--results", str(file)]
    assert main([*order, "--kind", "swiss"]) == 0
    found = pairings_in(capsys.readouterr().out, (), ())
    assert {(one.round, one.length, one.event) for one in found} == {("2", 7, EVENT)}
    assert {frozenset((one.south, one.north)) for one in found} in (
        {frozenset(("Ben", "Eva")), frozenset(("Ann", "Max"))},
        {frozenset(("Ben", "Max")), frozenset(("Ann", "Eva"))},
    )
    file.write_text("[]")
    assert main([*order, "--kind", "swiss"]) == 2
    assert "none of a hall's results.json" in capsys.readouterr().err
    assert main(["draw", str(tmp_path / "none"), "--kind", "round-robin"]) == 2
    assert "cannot be read: No such file" in capsys.readouterr().err


def test_command_prints_one_round_and_names_with_semicolons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "players.txt").write_text("Ann; x\nBen\nEva\nMax")
    order = ["draw", str(tmp_path / "players.txt"), "--event", EVENT, "--round"]
    assert main([*order, "2", "--kind", "round-robin"]) == 0
    found = pairings_in(capsys.readouterr().out, (), ())
    assert ({one.round for one in found}, len(found)) == ({"2"}, 2)
    assert "Ann; x" in {name for one in found for name in (one.south, one.north)}
    assert main([*order, "2", "--kind", "swiss"]) == 2
    assert "The round to be drawn next is 1." in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["round-robin", "elimination"])
def test_round_that_is_named_is_part_of_all(kind: Kind) -> None:
    every = draw(kind, EVENT, players(8), [])
    for number in range(1, 9):
        of_round = [one for one in every if one.round == str(number)]
        assert draw(kind, EVENT, players(8), [], number) == of_round
    assert draw(kind, EVENT, players(8), [], 1)


def test_result_that_ended_last_counts() -> None:
    one = {"event": EVENT, "round": "1", "south": "Ann", "north": "Ben"}
    lines = [
        {**one, "over_at": "2026-11-24T21:00:00", "winner": "north"},
        {**one, "over_at": "2026-11-24T20:00:00", "winner": "south"},
    ]
    assert results_in(json.dumps({"results": lines}), EVENT) == [Result(EVENT, "1", "Ben", "Ann")]
