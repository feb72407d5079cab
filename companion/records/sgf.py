"""SGF for backgammon (GM[6]) as GNU Backgammon reads and writes it: reader and writer.

White is player 0. A point is a letter: White's 1-point is `a` and his 24-point `x`, Black's the other way round; `y`
is the bar, `z` borne off. A file holds one tree for each game.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from companion.records.transcript import (
    BadFileError,
    CubeSaid,
    Deed,
    Game,
    Placed,
    Player,
    RollMade,
    Said,
    Transcript,
    Won,
)
from companion.rules.board import BAR, OFF, Position
from companion.rules.notation import Hop, read_hops

Node = Mapping[str, list[str]]

_WORDS = {"double": Said.DOUBLES, "take": Said.TAKES, "drop": Said.DROPS}
_RESULT = re.compile(r"(?P<who>[WB])\+(?P<points>\d+)(?P<resigned>R(?:esign)?)?")
_MOVE = re.compile(r"(?P<dice>[1-6]{2})(?P<steps>(?:[a-z]{2})*)")


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
    rules = first.get("rules", "").lower()
    start = next((name for name in ("nackgammon", "hypergammon") if name in rules), "standard")
    players = (first.get("white", ""), first.get("black", ""))
    return Transcript(players, length, tuple(game for game, _ in games), headers, start)


def _game(nodes: list[Node]) -> tuple[Game, dict[str, str]]:
    root = nodes[0] if nodes else {}
    if root.get("GM", ["6"])[0].strip() != "6":
        raise BadFileError("This SGF file is of another game, not of backgammon.")
    about = _about(root)
    deeds = list(_deeds(nodes))
    rules = about.get("rules", "")
    result = _RESULT.match(root.get("RE", [""])[0])
    if result:
        winner: Player = 0 if result["who"] == "W" else 1
        if result["resigned"]:
            deeds.append(CubeSaid(1 - winner, len(deeds) // 2 + 1, Said.RESIGNS))  # type: ignore[arg-type]
        deeds.append(Won(winner, int(result["points"])))
    score = (int(about.get("ws", "0")), int(about.get("bs", "0")))
    number = int(about.get("game", "0")) + 1
    return Game(number, score, tuple(deeds), "crawfordgame" in rules.lower()), about


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


def _deeds(nodes: list[Node]) -> Iterator[Deed]:
    turns, number = 0, 0
    for node in nodes:
        if any(key in node for key in ("AW", "AB", "AE")):
            yield _placed(node)
        for key, player in (("W", 0), ("B", 1)):
            for value in node.get(key, []):
                number += 1
                deed = _deed(player, number // 2 + 1, value.strip(), turns)  # type: ignore[arg-type]
                turned = isinstance(deed, CubeSaid) and deed.what not in (
                    Said.TAKES,
                    Said.DROPS,
                    Said.RESIGNS,
                )
                turns = turns + 1 if turned else 0
                yield deed


def _deed(player: Player, number: int, value: str, turns: int) -> Deed:
    """The roll or cube action of a value; `turns` counts the cube's turns without an answer."""
    if value.lower() in _WORDS:
        what = _WORDS[value.lower()]
        if what is Said.DOUBLES and turns:
            what = Said.BEAVERS if turns == 1 else Said.RACCOONS
        return CubeSaid(player, number, what)
    if value.lower().startswith("resign"):
        return CubeSaid(player, number, Said.RESIGNS)
    found = _MOVE.fullmatch(value)
    if not found:
        raise BadFileError(f"This SGF file is damaged: “{value[:20]}” is no move.")
    one, other = map(int, found["dice"])
    steps = found["steps"]
    words = [f"{_place(player, steps[at])}/{_place(player, steps[at + 1])}" for at in range(0, len(steps), 2)]
    return RollMade(player, number, (one, other), " ".join(words))


def _place(player: Player, letter: str) -> int:
    """The point of a letter, in the player's own numbering."""
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
    sides = []
    for player, key in ((0, "AW"), (1, "AB")):
        counts = [0] * 26
        for entry in node.get(key, []):
            for letter in _spread(entry.strip()):
                counts[_place(player, letter)] += 1  # type: ignore[arg-type]
        sides.append(tuple(counts))
    owner = {"w": 0, "b": 1}.get(node.get("CP", ["c"])[0][:1].lower())
    on_roll: Player = 1 if node.get("PL", ["W"])[0][:1].upper() == "B" else 0
    value = node.get("CV", ["1"])[0]
    if not value.isdecimal():
        raise BadFileError(f"This SGF file is damaged: the cube shows “{value[:20]}”.")
    return Placed(Position(*(_with_off(side) for side in sides)), on_roll, int(value), owner)  # type: ignore[arg-type]


def _with_off(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Counts with the checkers that are not on the board as borne off."""
    return (max(0, 15 - sum(counts[1:])), *counts[1:])


def _spread(entry: str) -> str:
    """Expand `a:c` to a, b, c."""
    if len(entry) == 3 and entry[1] == ":":
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
        comments: {(game, index of the deed in it): comment on that deed}.
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
    if game.remarks:
        root += f"C[{_escaped(' '.join(game.remarks))}]"
    nodes = [root]
    for index, deed in enumerate(game.deeds):
        node = _node(deed)
        if node:
            comment = comments.get((game.number, index))
            nodes.append(node + (f"C[{_escaped(comment)}]" if comment else ""))
    return "(" + "\n".join(nodes) + ")"


def _rules(transcript: Transcript, game: Game) -> str:
    words = [word for word in transcript.headers.get("rules", "").split(":") if word]
    if game.crawford and "CrawfordGame" not in words:
        words.append("CrawfordGame")
    return f"RU[{':'.join(words)}]" if words else ""


def _outcome(game: Game) -> str:
    won = game.won
    if won is None:
        return ""
    resigned = any(isinstance(deed, CubeSaid) and deed.what is Said.RESIGNS for deed in game.deeds)
    return f"RE[{'WB'[won.player]}+{won.points}{'R' if resigned else ''}]"


def _node(deed: Deed) -> str:
    match deed:
        case RollMade(player=player, dice=dice, text=text):
            steps = "".join(_letters(player, hop) for hop in read_hops(text))
            return f";{'WB'[player]}[{dice[0]}{dice[1]}{steps}]"
        case CubeSaid(player=player, what=Said.TAKES):
            return f";{'WB'[player]}[take]"
        case CubeSaid(player=player, what=Said.DROPS):
            return f";{'WB'[player]}[drop]"
        case CubeSaid(player=player, what=Said.DOUBLES | Said.BEAVERS | Said.RACCOONS):
            return f";{'WB'[player]}[double]"
        case Placed():
            return _set_up(deed)
    return ""


def _letters(player: Player, hop: Hop) -> str:
    return "".join(_letter(player, one) + _letter(player, other) for one, other in pairwise(hop.path))


def _set_up(placed: Placed) -> str:
    sides = (("AW", 0, placed.position.mine), ("AB", 1, placed.position.theirs))
    text = ";AE[a:y]"
    for key, player, counts in sides:
        entries = _entries(player, counts)  # type: ignore[arg-type]
        text += key + "".join(f"[{entry}]" for entry in entries) if entries else ""
    owner = "c" if placed.cube_owner is None else "wb"[placed.cube_owner]
    return f"{text}PL[{'WB'[placed.on_roll]}]CV[{placed.cube_value}]CP[{owner}]"


def _entries(player: Player, counts: Sequence[int]) -> list[str]:
    return [_letter(player, place) for place in range(1, 26) for _ in range(counts[place])]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")
