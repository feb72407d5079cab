"""The API's document, OpenAPI 3.1; the actions' shapes in it are also what requests are checked with."""

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

SIDE: Schema = {"type": "string", "enum": ["south", "north"]}
SIDE_OR_NONE: Schema = {"type": ["string", "null"], "enum": ["south", "north", None]}
DIE: Schema = {"type": "integer", "minimum": 1, "maximum": 6}
DICE: Schema = {"type": "array", "items": DIE, "minItems": 2, "maxItems": 2}
OPENING_DICE: Schema = {
    "type": ["integer", "array"],
    "minimum": 1,
    "maximum": 6,
    "items": DIE,
    "minItems": 1,
    "maxItems": 2,
    "description": "one die, or the list of both where each side throws two",
}
POINT: Schema = {"type": "integer", "minimum": 0, "maximum": 25}
MOVES: Schema = {
    "type": "array",
    "maxItems": 8,
    "items": {"type": "array", "items": POINT, "minItems": 2, "maxItems": 2},
    "description": "from and to in the mover's own numbering, bar 25, off 0",
}
CHECKERS: Schema = {
    "type": "array",
    "items": {"type": "integer", "minimum": -30, "maximum": 30},
    "minItems": 26,
    "maxItems": 26,
}
NAME: Schema = {"type": "string", "maxLength": 80}
COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 2**31}
SEQ: Schema = {
    "type": "integer",
    "minimum": 0,
    "maximum": 2**53,
    "description": "the state's seq that the action was made for",
}


def _object(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required)}


def _action(kind: str, *required: str, **properties: Schema) -> Schema:
    return _object(("type", "seq", *required), type={"type": "string", "enum": [kind]}, seq=SEQ, **properties)


_PLAYERS = _object(south=NAME, north=NAME)
_SCORE = _object(south=COUNT, north=COUNT)
_ORIENTATION = _object(
    home={"type": "string", "enum": ["right", "left"]}, south={"type": "string", "enum": ["light", "dark"]}
)
_BY: Schema = {"side": SIDE}

ACTIONS: Mapping[str, Schema] = {
    schema["properties"]["type"]["enum"][0]: schema
    for schema in (
        _action(
            "new_match",
            length={"type": "integer", "minimum": 0, "maximum": 99, "description": "points; 0 is money play"},
            players=_PLAYERS,
            profile={"type": "string", "maxLength": 40},
            overrides={"type": "object", "description": "single settings of the profile, by name"},
            orientation=_ORIENTATION,
        ),
        _action("opening", south=OPENING_DICE, north=OPENING_DICE),
        _action("roll", "dice", dice=DICE, **_BY),
        _action(
            "rule",
            dice=DICE,
            ruling={"type": "string", "enum": ["cocked", "valid"]},
            penalty={
                "type": "object",
                "description": "a director's penalty: to, points or minutes late, why",
            },
        ),
        _action(
            "play",
            moves=MOVES,
            text={"type": "string", "maxLength": 120},
            result=CHECKERS,
            made={"type": "boolean", "description": "it lies on the board so, legal or not"},
        ),
        _action("undo"),
        _action("done", **_BY),
        _action("lift", **_BY),
        _action("double", **_BY),
        _action("take", **_BY),
        _action("pass", **_BY),
        _action("beaver", **_BY),
        _action("raccoon", **_BY),
        _action(
            "resign",
            worth={"type": "integer", "minimum": 1, "maximum": 3, "description": "1, where it is left out"},
            points={**COUNT, "description": "a settlement for so many points instead"},
            **_BY,
        ),
        _action("accept", **_BY),
        _action("refuse", **_BY),
        _action("condone", **_BY),
        _action("correct", **_BY),
        _action(
            "amend",
            "event",
            "to",
            event=COUNT,
            to={"type": "object"},
            why={"type": "string", "maxLength": 200},
        ),
        _action(
            "set_position",
            xgid={"type": "string", "maxLength": 120},
            gnubgid={"type": "string", "maxLength": 120},
            pos=CHECKERS,
            on_roll=SIDE_OR_NONE,
            cube={"type": "object"},
            score=_SCORE,
            crawford={"type": "boolean"},
            wrong_start={"type": "boolean", "description": "the game was begun from this wrong position"},
        ),
        _action("next_game", swap_seats={"type": "boolean"}, orientation=_ORIENTATION),
        _action(
            "clock",
            "order",
            order={"type": "string", "enum": ["start", "stop", "set"]},
            south_ms=COUNT,
            north_ms=COUNT,
            why={"type": "string", "maxLength": 200},
        ),
        _action("settings", "overrides", overrides={"type": "object", "description": "settings by name"}),
        _action("revoke", "code", code={"type": "string", "maxLength": 40}),
        _action("call_director", over={"type": "boolean", "description": "the director has been"}, **_BY),
    )
}

PIXEL: Schema = {"type": "number", "minimum": -20_000, "maximum": 20_000}
CORNER: Schema = {"type": "array", "items": PIXEL, "minItems": 2, "maxItems": 2}
CORNERS: Schema = {
    "type": ["array", "null"],
    "items": CORNER,
    "minItems": 4,
    "maxItems": 4,
    "description": "the playing surface's corners in the camera's pixels, clockwise from the top left",
}
PLACE = _object(corners=CORNERS)
PLACED = _object(corners=CORNERS, sentence={"type": "string", "description": "what is amiss all the same"})
ROLE: Schema = {"type": "string", "enum": ["viewer", "player", "scorekeeper", "director"]}
JOIN = _object(("role",), role=ROLE, seat=SIDE_OR_NONE, label=NAME)
JOINED = _object(
    ("code", "own", "role", "seat", "label", "link", "qr"),
    code={"type": "string"},
    own={"type": "boolean", "description": "the code by which the visitor came in; it is not his to revoke"},
    role=ROLE,
    seat=SIDE_OR_NONE,
    label={"type": "string"},
    link={"type": "string"},
    qr={"type": "string", "description": "where the link is drawn as a QR code"},
)

PROBLEM = _object(
    ("type", "title", "status", "detail"),
    type={"type": "string"},
    title={"type": "string"},
    status={"type": "integer"},
    detail={"type": "string", "description": "a sentence for people"},
)


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_none(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer"}
_FLAG: Schema = {"type": "boolean"}
_BOTH = _object(("south", "north"), south=_NUMBER, north=_NUMBER)
_LAMP: Schema = {"type": "string", "enum": ["off", "on", "blink"]}
_LAMP_NAMES = ("south_turn", "north_turn", "cube_south", "cube_north", "valid", "again", "look")

_STATE_FIELDS: Mapping[str, Schema] = {
    "seq": SEQ,
    "durable": _FLAG,
    "phase": _TEXT,
    "on_roll": SIDE_OR_NONE,
    "asked": SIDE_OR_NONE,
    "may": _list(_TEXT),
    "roll": _or_none(DICE),
    "opening": _or_none(_object(south=_or_none(_NUMBER), north=_or_none(_NUMBER), each=_NUMBER)),
    "ruling": {"type": ["string", "null"], "enum": ["valid", "cocked", "unread", None]},
    "reasons": _list(_TEXT),
    "reason_text": _TEXT,
    "throw": _or_none(
        _object(
            dice=_list(_object(value=_or_none(DIE))),
            picture=_or_none(_TEXT),
            size=_list(_NUMBER),
        )
    ),
    "position": _object(
        xgid=_TEXT,
        pos=CHECKERS,
        pips=_or_none(_BOTH),
        board=_object(points=_list(_NUMBER), bar=_BOTH, off=_BOTH),
    ),
    "plays": _or_none(_list(_object(text=_TEXT, moves=MOVES, result=CHECKERS))),
    "making": _or_none(_object(moves=MOVES, text=_TEXT, complete=_FLAG, refused=_TEXT)),
    "owed": _FLAG,
    "waiting": _or_none(_object(side=SIDE, roll=DICE)),
    "cube": _object(
        ("value", "owner"), value=_NUMBER, owner=SIDE_OR_NONE, offered=_or_none(_NUMBER), may_double=_FLAG
    ),
    "dispute": _or_none(
        _object(kind=_TEXT, text=_TEXT, answers=_list(_object(type=_TEXT, label=_TEXT, by=SIDE_OR_NONE)))
    ),
    "resigning": _or_none(_object(by=SIDE, worth=_NUMBER)),
    "result": _or_none(
        _object(winner=SIDE, worth=_NUMBER, cube=_NUMBER, points=_NUMBER, how=_TEXT),
    ),
    "match": _or_none(
        _object(
            ("length", "crawford", "score", "players"),
            id=_TEXT,
            length=_NUMBER,
            crawford=_FLAG,
            score=_BOTH,
            players=_object(south=_TEXT, north=_TEXT),
            profile=_TEXT,
            game=_NUMBER,
            winner=SIDE_OR_NONE,
        )
    ),
    "clock": _or_none({"type": "object"}),
    "lamps": _object(_LAMP_NAMES, **dict.fromkeys(_LAMP_NAMES, _LAMP)),
    "camera": _object(state=_TEXT, text=_TEXT),
    "aids": {"type": "string", "enum": ["shown", "withheld"]},
    "orientation": _ORIENTATION,
    "history": _list(_object(n=_NUMBER, side=SIDE_OR_NONE, text=_TEXT, picture=_or_none(_TEXT))),
    "notices": _list(_object(n=_NUMBER, text=_TEXT, level=_TEXT)),
}
_HEALTH = _or_none(_list(_object(what=_TEXT, verdict=_TEXT, text=_TEXT, remedy=_TEXT)))
ANALYSIS = _object(
    ("state", "why"),
    state={"type": "string", "enum": ["none", "running", "failed", "done"]},
    why={"type": "string", "description": "why it cannot be begun now, or nothing"},
    match=_TEXT,
    done={"type": "integer", "description": "games analysed"},
    games=_NUMBER,
    sentence={"type": "string", "description": "why it failed"},
    report={"type": "object", "description": "as `companion analyse --json`, each worst play with its board"},
)
RULES = _object(
    ("profiles", "switches", "usual"),
    profiles=_list(_object(name=_TEXT, title=_TEXT, settings={"type": "object"})),
    switches=_list(
        _object(
            name=_TEXT,
            label=_TEXT,
            values=_or_none(_list({"type": ["string", "boolean"]})),
            labels=_or_none(_list(_TEXT)),
        )
    ),
    usual={"type": "object"},
    now=_or_none({"type": "object", "description": "the switches of the running match"}),
)
STATE = _object(tuple(_STATE_FIELDS), **_STATE_FIELDS, health=_HEALTH)


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _answers(content: Schema, *refusals: int) -> Schema:
    return {"200": {"description": "done", "content": content}, **_refusals(*refusals)}


def _refusals(*refusals: int) -> Schema:
    problem = {"application/problem+json": {"schema": _ref("Problem")}}
    meanings = {
        400: "makes no sense",
        403: "not joined, or not in this role",
        404: "not there",
        409: "seq is stale: the table has changed meanwhile",
        413: "too long",
        415: "not JSON",
        422: "the rules forbid it",
        429: "too fast",
        503: "not now; see Retry-After",
    }
    return {str(status): {"description": meanings[status], "content": problem} for status in refusals}


def document() -> Schema:
    """The whole document."""
    state = {"application/json": {"schema": _ref("State")}}
    pictures: Schema = {"image/jpeg": {}, "image/png": {}, "image/webp": {}}
    name = {"name": "name", "in": "path", "required": True, "schema": _TEXT}
    again = {"name": "Last-Event-ID", "in": "header", "schema": _TEXT}
    names = {kind: "".join(word.title() for word in kind.split("_")) for kind in ACTIONS}
    actions = {
        "oneOf": [_ref(name) for name in names.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {kind: _ref(name)["$ref"] for kind, name in names.items()},
        },
    }
    paths: Schema = {
        "/api/state": {"get": {"summary": "The newest state", "responses": _answers(state, 403, 503)}},
        "/api/events": {
            "get": {
                "summary": "The state now and after each change",
                "description": "Server-sent events: `id` is the state's seq, `data` the state; `event: beat` "
                "says that the stream is alive, `event: gone` that the join code was revoked.",
                "parameters": [again],
                "responses": _answers({"text/event-stream": {"schema": _TEXT}}, 403, 503),
            }
        },
        "/api/act": {
            "post": {
                "summary": "One action",
                "requestBody": {"required": True, "content": {"application/json": {"schema": actions}}},
                "responses": _answers(state, 400, 403, 409, 413, 415, 422, 429, 503),
            }
        },
        "/api/openapi.json": {
            "get": {"summary": "This document", "responses": _answers({"application/json": {}})}
        },
        "/api/joins": {
            "get": {
                "summary": "The join codes that this visitor may hand out",
                "responses": _answers(
                    {"application/json": {"schema": _object(joins=_list(_ref("Joined")))}}, 403
                ),
            },
            "post": {
                "summary": "A new join code",
                "requestBody": {"required": True, "content": {"application/json": {"schema": _ref("Join")}}},
                "responses": {
                    "201": {
                        "description": "issued",
                        "content": {"application/json": {"schema": _ref("Joined")}},
                    },
                    **_refusals(400, 403, 413, 415),
                },
            },
        },
        "/api/camera.jpg": {
            "get": {
                "summary": "The camera's newest picture",
                "responses": _answers({"image/jpeg": {}}, 403, 404),
            }
        },
        "/api/board": {
            "get": {
                "summary": "Where the board lies in the camera's picture",
                "responses": _answers({"application/json": {"schema": PLACE}}, 403),
            },
            "post": {
                "summary": "Say where the board lies; without corners it is looked for",
                "requestBody": {"required": True, "content": {"application/json": {"schema": PLACE}}},
                "responses": _answers({"application/json": {"schema": PLACED}}, 400, 403, 404, 413, 415, 422),
            },
        },
        "/api/analysis": {
            "get": {
                "summary": "How GNU Backgammon's analysis of the running match stands",
                "responses": _answers({"application/json": {"schema": ANALYSIS}}, 403, 404),
            },
            "post": {
                "summary": "Begin to analyse the running match",
                "requestBody": {"required": True, "content": {"application/json": {"schema": _object()}}},
                "responses": _answers({"application/json": {"schema": ANALYSIS}}, 403, 404, 415, 422),
            },
        },
        "/api/rules": {
            "get": {
                "summary": "The profiles, the switches that people change at the table, and what is usual here",
                "responses": _answers({"application/json": {"schema": RULES}}, 403, 404),
            }
        },
        "/export/{name}": {
            "get": {
                "summary": "The running match's record: mat, sgf, json or zip",
                "parameters": [name],
                "responses": _answers({"application/octet-stream": {}}, 403, 404, 422),
            }
        },
        "/joins/{name}.svg": {
            "get": {
                "summary": "A join link as a QR code",
                "parameters": [name],
                "responses": _answers({"image/svg+xml": {}}, 403, 404),
            }
        },
        "/pictures/{name}": {
            "get": {
                "summary": "The picture of a throw",
                "parameters": [name],
                "responses": _answers(pictures, 403, 404),
            }
        },
    }
    schemas = {
        "State": STATE,
        "Problem": PROBLEM,
        "Join": JOIN,
        "Joined": JOINED,
        **{names[kind]: schema for kind, schema in ACTIONS.items()},
    }
    cookie = {"type": "apiKey", "in": "cookie", "name": "board_role", "description": "from /join/<code>"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "The board companion's page", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"role": cookie}},
        "security": [{"role": []}],
    }
