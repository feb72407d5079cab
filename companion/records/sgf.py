"""SGF for backgammon (GM[6]) as GNU Backgammon reads and writes it: reader and writer.

A match of ours comes as a Transcript from to_transcript.py, with the plays and results that GNU Backgammon counts by
(for_gnubg.py there); export.py asks for both.

White is player 0. A point is a letter: White's 1-point is `a` and his 24-point `x`, Black's the other way round; `y`
is the bar, `z` borne off. A file holds one tree for each game.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from string import ascii_lowercase

from companion.game.state import CubeAction
from companion.records.transcript import (
    SGF_STARTS,
    Action,
    BadFileError,
    CubeDecision,
    Game,
    Placed,
    Player,
    Resignation,
    RollMade,
    Transcript,
    Won,
    is_roll_again,
    opponent_of,
    with_beavers,
    with_set_ups,
)
from companion.rules.board import BAR, CHECKERS, OFF, Checkers, Position, checkers_on
from companion.rules.notation import read_hops

Node = Mapping[str, list[str]]

_CUBE_WORDS = {"double": CubeAction.DOUBLE, "take": CubeAction.TAKE, "drop": CubeAction.PASS}
_STARTS = {name.lower(): start for start, name in SGF_STARTS.items()} | {"hypergammon": "hypergammon"}
_RESULT = re.compile(r"(?P<who>[WB])\+(?P<points>\d{1,6})(?!\d)(?P<resigned>R(?:esign)?)?")
_PLAYERS: Mapping[str, Player] = {"W": 0, "B": 1}
_MOVE = re.compile(r"(?P<dice>[1-6]{2})(?P<steps>(?:[a-z]{2}){0,16})")


def read_sgf(text: str) -> Transcript:
    """Read the text of an SGF file; only the main line counts, variations are ignored.

    Raises:
        BadFileError: it is no SGF, not one of backgammon, or damaged.
    """
    games = [_game(nodes) for nodes in _trees(text)]
    if not games:
        raise BadFileError("This is no SGF file: there is no game in it.")
    first = games[0][1]
    length = int(first.get("length", "0") or 0)
    headers = {name: value for name, value in first.items() if name in ("event", "date", "place", "rules")}
    rules = first.get("rules", "").lower().split(":")
    start = next((start for word in rules if (start := _STARTS.get(word))), "standard")
    players = (first.get("white", ""), first.get("black", ""))
    return Transcript(players, length, tuple(game for game, _ in games), headers, start)


def _game(nodes: list[Node]) -> tuple[Game, dict[str, str]]:
    root = nodes[0] if nodes else {}
    if root.get("GM", ["6"])[0].strip() != "6":
        raise BadFileError("This SGF file is of another game, not of backgammon.")
    about = _about(root)
    actions = list(with_beavers(with_set_ups(list(_actions(nodes)))))
    result = _RESULT.match(root.get("RE", [""])[0])
    if result:
        winner: Player = 0 if result["who"] == "W" else 1
        if result["resigned"]:
            actions.append(Resignation(0 if winner else 1, len(actions) // 2 + 1))
        actions.append(Won(winner, int(result["points"])))
    score = (int(about.get("ws", "0")), int(about.get("bs", "0")))
    is_crawford = "crawfordgame" in about.get("rules", "").lower()
    return Game(int(about.get("game", "0")) + 1, score, tuple(actions), is_crawford), about


def _about(root: Node) -> dict[str, str]:
    """Match data of a root node: its MI entries, names, rules."""
    about = {}
    for entry in root.get("MI", []):
        name, _, value = entry.partition(":")
        if name in ("length", "game", "ws", "bs") and not re.fullmatch(r"\d{1,6}", value.strip() or "0"):
            raise BadFileError(f"This SGF file is damaged: {name} is “{value[:20]}”.")
        about[name] = value.strip() or "0"
    names = {"PW": "white", "PB": "black", "RU": "rules", "DT": "date", "EV": "event", "PC": "place"}
    about |= {name: root[key][0] for key, name in names.items() if key in root}
    return about


def _actions(nodes: list[Node]) -> Iterator[Action]:
    """The actions of the nodes, `with_set_ups` still to be applied.

    A node with dice is a roll, or says so before the same player's move with them. A position after it is what an
    illegal play left: so GNU Backgammon keeps one. It has the cube in nodes of its own before the position.
    """
    number, rolled, cube = 0, None, dict[str, list[str]]()
    for node in nodes:
        if any(key in node for key in ("AW", "AB", "AE")):
            placed, cube = _placed({**cube, **node}), {}
            if rolled is not None:
                yield rolled
                placed = replace(placed, on_roll=opponent_of(rolled.player), is_play=True)
            rolled = None
            yield placed
        elif "DI" in node:
            if rolled is not None:
                yield rolled
            rolled = _rolled(node, number // 2 + 1)
        for key, player in _PLAYERS.items():
            for value in node.get(key, []):
                number += 1
                action = _action(player, number // 2 + 1, value.strip())
                if rolled is not None and not is_roll_again(rolled, action):
                    yield rolled
                rolled, cube = None, {}
                yield action
        cube |= {key: node[key] for key in ("CV", "CP") if key in node}
    if rolled is not None:
        yield rolled


def _rolled(node: Node, number: int) -> RollMade:
    """The roll of a node with dice."""
    dice, player = node["DI"][0].strip(), _PLAYERS.get(node.get("PL", ["W"])[0][:1].upper())
    if not re.fullmatch("[1-6]{2}", dice) or player is None:
        raise BadFileError(f"This SGF file is damaged: “{dice[:20]}” is no roll of White or Black.")
    return RollMade(player, number, (int(dice[0]), int(dice[1])), "")


def _action(player: Player, number: int, value: str) -> Action:
    """The roll, cube action or resignation of a value."""
    if value.lower() in _CUBE_WORDS:
        return CubeDecision(player, number, _CUBE_WORDS[value.lower()])
    if value.lower().startswith("resign"):
        return Resignation(player, number)
    found = _MOVE.fullmatch(value)
    if not found:
        raise BadFileError(f"This SGF file is damaged: “{value[:20]}” is no move.")
    one, other = map(int, found["dice"])
    places = [str(_place(player, letter)) for letter in found["steps"]]
    words = map("/".join, zip(places[::2], places[1::2], strict=True))
    return RollMade(player, number, (one, other), " ".join(words))


def _place(player: Player, letter: str) -> int:
    """The point of a letter, in the player's own numbering; BadFileError if there is none."""
    if letter not in ascii_lowercase:
        raise BadFileError(f"This SGF file is damaged: “{letter}” is no point.")
    if letter in "yz":
        return BAR if letter == "y" else OFF
    at = ord(letter) - ord("a")
    return at + 1 if player == 0 else 24 - at


def _letter(player: Player, place: int) -> str:
    if place in (BAR, OFF):
        return "y" if place == BAR else "z"
    return chr(ord("a") + (place - 1 if player == 0 else 24 - place))


def _placed(node: Node) -> Placed:
    """A position set by hand: AE empties the board, AW and AB place the checkers."""
    owner = _PLAYERS.get(node.get("CP", ["c"])[0][:1].upper())
    on_roll = _PLAYERS.get(node.get("PL", ["W"])[0][:1].upper(), 0)
    value = node.get("CV", ["1"])[0]
    if not re.fullmatch(r"\d{1,6}", value) or int(value).bit_count() != 1:
        raise BadFileError(f"This SGF file is damaged: the cube shows “{value[:20]}”.")
    return Placed(Position(_checkers(node, "W"), _checkers(node, "B")), on_roll, int(value), owner)


def _checkers(node: Node, key: str) -> Checkers:
    """The checkers that a node places for White or Black; those not on the board have been borne off."""
    letters = "".join(_spread(entry.strip()) for entry in node.get(f"A{key}", []))
    counts = Counter(_place(_PLAYERS[key], letter) for letter in letters)
    del counts[OFF]
    if counts.total() > CHECKERS:
        raise BadFileError(f"This SGF file is damaged: a side has {counts.total()} checkers.")
    return checkers_on({**counts, OFF: CHECKERS - counts.total()})


def _spread(entry: str) -> str:
    """Expand `a:c` to a, b, c."""
    if re.fullmatch("[a-z]:[a-z]", entry):
        return "".join(map(chr, range(ord(entry[0]), ord(entry[2]) + 1)))
    return entry


# Parsing


def _trees(text: str) -> Iterator[list[Node]]:
    """The main line of every tree in the file: a list of nodes, each with its properties."""
    tokens = _tokens(text)
    nodes: list[Node] = []
    depth, follow = 0, True
    for token in tokens:
        if token == "(":
            depth += 1
            if depth == 1:
                nodes, follow = [], True
        elif token == ")":
            if depth == 0:
                raise BadFileError("This SGF file is damaged: a bracket closes that was never opened.")
            depth -= 1
            follow = False  # a branch after a closed one is a variation
            if depth == 0:
                yield nodes
        elif follow and depth:
            nodes.append(_properties(token))
    if depth:
        raise BadFileError("This SGF file is cut off.")


_TOKEN = re.compile(r"\s*(?:(?P<bracket>[()])|(?P<node>;(?:[^\[\]();\\]|\[(?:\\.|[^\]\\])*\])*))", re.DOTALL)


def _tokens(text: str) -> Iterator[str]:
    at, text = 0, text.lstrip("\ufeff").rstrip()
    if not text.lstrip().startswith("("):
        raise BadFileError("This is no SGF file.")
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found or found.end() == at:
            raise BadFileError("This SGF file is damaged or cut off.")
        yield found["bracket"] or found["node"]
        at = found.end()


_PROPERTY = re.compile(r"([A-Za-z]+)\s*((?:\[(?:\\.|[^\]\\])*\]\s*)+)", re.DOTALL)
_VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)


def _properties(node: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, values in _PROPERTY.findall(node):
        key = "".join(letter for letter in name if letter.isupper())
        plain = [re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL) for value in _VALUE.findall(values)]
        found.setdefault(key, []).extend(plain)
    return found


# Writing


def write_sgf(
    transcript: Transcript, date: str = "", comments: Mapping[tuple[int, int], str] | None = None
) -> str:
    """The match as SGF.

    Args:
        transcript: the match; its plays have to be moves in the mover's numbering.
        date: the day, as 2026-11-21.
        comments: {(game, index of the action in it): comment on that action}.
    """
    games = transcript.games or (Game(1, (0, 0), ()),)  # a match without a game yet is a game without a move
    trees = [_tree(transcript, at, game, date, comments or {}) for at, game in enumerate(games)]
    return "\n".join(trees) + "\n"


def _tree(
    transcript: Transcript, at: int, game: Game, date: str, comments: Mapping[tuple[int, int], str]
) -> str:
    root = (
        f";FF[4]GM[6]CA[UTF-8]AP[board-companion]MI[length:{transcript.length}][game:{at}]"
        f"[ws:{game.score[0]}][bs:{game.score[1]}]PW[{_escaped(transcript.players[0])}]"
        f"PB[{_escaped(transcript.players[1])}]"
    )
    root += f"DT[{date}]" if date else ""
    root += _rules(transcript, game) + _outcome(game)
    nodes = [root + _comment(" ".join(game.remarks))]
    for index, action in enumerate(game.actions):
        following = game.actions[index + 1] if index + 1 < len(game.actions) else None
        is_set = isinstance(following, Placed) and following.is_play
        node = (_dice(action) if is_set and isinstance(action, RollMade) else _node(action)) + _comment(
            comments.get((game.number, index), "")
        )
        if node:
            nodes.append(f";{node}")
    if last := comments.get((game.number, len(game.actions))):
        nodes.append(f";{_comment(last)}")
    return "(" + "\n".join(nodes) + ")"


def _comment(text: str) -> str:
    return f"C[{_escaped(text)}]" if text else ""


def _rules(transcript: Transcript, game: Game) -> str:
    words = [word for word in transcript.headers.get("rules", "").split(":") if word]
    if game.crawford and "CrawfordGame" not in words:
        words.append("CrawfordGame")
    return f"RU[{':'.join(words)}]" if words else ""


def _outcome(game: Game) -> str:
    won = game.won
    if won is None:
        return ""
    resigned = any(isinstance(action, Resignation) for action in game.actions)
    return f"RE[{'WB'[won.player]}+{won.points}{'R' if resigned else ''}]"


def _dice(made: RollMade) -> str:
    """The roll of an illegal play of which only the position follows: a move without a step would be a dance."""
    return f"PL[{'WB'[made.player]}]DI[{made.dice[0]}{made.dice[1]}]"


def _node(action: Action) -> str:
    match action:
        case RollMade(player=player, dice=dice, text=text):
            pairs = (pair for hop in read_hops(text) for pair in pairwise(hop.path))
            steps = "".join(_letter(player, place) for pair in pairs for place in pair)
            return f"{'WB'[player]}[{dice[0]}{dice[1]}{steps}]"
        case CubeDecision(player=player, kind=kind):
            words = {CubeAction.TAKE: "take", CubeAction.PASS: "drop"}
            return f"{'WB'[player]}[{words.get(kind, 'double')}]"
        case Placed(position=position):
            white, black = _entries(0, position.mine), _entries(1, position.theirs)
            owner = "c" if action.cube_owner is None else "wb"[action.cube_owner]
            cube = f"CV[{action.cube_value}]CP[{owner}]"
            # PL first: GNU Backgammon turns the board round at it, also one that this node has just set
            return f"PL[{'WB'[action.on_roll]}]AE[a:y]{white}{black}{cube}"
    return ""


def _entries(player: Player, checkers: Checkers) -> str:
    """The property that places a player's checkers; empty without any on the board."""
    letters = [_letter(player, place) for place in range(1, 26) for _ in range(checkers[place])]
    return f"A{'WB'[player]}" + "".join(f"[{letter}]" for letter in letters) if letters else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")
