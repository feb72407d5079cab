"""The API's document, OpenAPI 3.1: paths, roles and refusals. Shapes come from web/bodies.py and the program."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from web import bodies

Schema = dict[str, Any]
TITLE = "The board companion's page"


@dataclass(frozen=True, slots=True)
class Shapes:
    """JSON Schemas of the JSON that the program sends and takes.

    Attributes:
        components: schemas by name, State, Analysis and Rules among them; references are `#/components/schemas/NAME`.
        actions: name of each action's component, by the action's `type`.
    """

    components: Mapping[str, Schema] = field(default_factory=dict)
    actions: Mapping[str, str] = field(default_factory=dict)


def document(shapes: Shapes, cookie_name: str) -> Schema:
    """The whole OpenAPI document; `cookie_name` is that of the role cookie."""
    cookie = {"type": "apiKey", "in": "cookie", "name": cookie_name, "description": "from /join/<code>"}
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": "1"},
        "paths": {**_table_paths(shapes), **_join_paths(), **_camera_paths(), **_record_paths()},
        "components": {
            "schemas": {**shapes.components, **bodies.components()},
            "securitySchemes": {"role": cookie},
        },
        "security": [{"role": []}],
    }


def _actions(shapes: Shapes) -> Schema:
    names = {**shapes.actions, "revoke": "Revoke"}
    return {
        "oneOf": [_ref(name) for name in names.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {kind: _ref(name)["$ref"] for kind, name in names.items()},
        },
    }


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


_TEXT: Schema = {"type": "string"}
_NAME: Schema = {"name": "name", "in": "path", "required": True, "schema": _TEXT}


def _json(name: str) -> Schema:
    """Content of the type application/json with the shape of a component."""
    return {"application/json": {"schema": _ref(name)}}


def _body(content: Schema) -> Schema:
    return {"required": True, "content": content}


def _table_paths(shapes: Shapes) -> Schema:
    """Paths of the state, its changes and actions."""
    state = _json("State")
    again = {"name": "Last-Event-ID", "in": "header", "schema": _TEXT}
    return {
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
                "requestBody": _body({"application/json": {"schema": _actions(shapes)}}),
                "responses": _answers(state, 400, 403, 409, 413, 415, 422, 429, 503),
            }
        },
        "/api/openapi.json": {
            "get": {"summary": "This document", "responses": _answers({"application/json": {}})}
        },
    }


def _join_paths() -> Schema:
    """Paths of join codes and their links."""
    return {
        "/api/joins": {
            "get": {
                "summary": "The join codes that this visitor may hand out",
                "responses": _answers(_json("Joins"), 403),
            },
            "post": {
                "summary": "A new join code",
                "requestBody": _body(_json("Join")),
                "responses": {
                    "201": {"description": "issued", "content": _json("Joined")},
                    **_refusals(400, 403, 413, 415, 422),
                },
            },
        },
        "/joins/{name}.svg": {
            "get": {
                "summary": "A join link as a QR code",
                "parameters": [_NAME],
                "responses": _answers({"image/svg+xml": {}}, 403, 404),
            }
        },
    }


def _camera_paths() -> Schema:
    """Paths of pictures, and of the board's place in them."""
    pictures: Schema = {"image/jpeg": {}, "image/png": {}, "image/webp": {}}
    return {
        "/api/camera.jpg": {
            "get": {
                "summary": "The camera's newest picture",
                "responses": _answers({"image/jpeg": {}}, 403, 404),
            }
        },
        "/api/board": {
            "get": {
                "summary": "Where the board lies in the camera's picture",
                "responses": _answers(_json("Placed"), 403),
            },
            "post": {
                "summary": "Say where the board lies; without corners it is looked for",
                "requestBody": _body(_json("Place")),
                "responses": _answers(_json("Placed"), 400, 403, 404, 413, 415, 422),
            },
        },
        "/api/camera": {
            "post": {
                "summary": "Change what is read in the camera's pictures",
                "requestBody": _body(_json("Read")),
                "responses": _answers(_json("Read"), 400, 403, 404, 413, 415, 422),
            },
        },
        "/api/throws": {
            "get": {
                "summary": "The check of board, lamp and camera with twelve throws",
                "responses": _answers(_json("TwelveThrows"), 403, 404),
            },
            "post": {
                "summary": "Begin or stop it, or say what lies there",
                "requestBody": _body(_json("TryThrows")),
                "responses": _answers(_json("TwelveThrows"), 400, 403, 404, 413, 415, 422),
            },
        },
        "/api/throws/{number}.jpg": {
            "get": {
                "summary": "The picture of a tried throw",
                "parameters": [{**_NAME, "name": "number", "schema": {"type": "integer", "minimum": 0}}],
                "responses": _answers({"image/jpeg": {}}, 403, 404),
            }
        },
        "/pictures/{name}": {
            "get": {
                "summary": "The picture of a throw",
                "parameters": [_NAME],
                "responses": _answers(pictures, 403, 404),
            }
        },
    }


def _record_paths() -> Schema:
    """Paths of the record, its analysis, and the rules to choose from."""
    return {
        "/api/analysis": {
            "get": {
                "summary": "How GNU Backgammon's analysis of the running match stands",
                "responses": _answers(_json("Analysis"), 403, 404),
            },
            "post": {
                "summary": "Begin to analyse the running match",
                "requestBody": _body({"application/json": {"schema": {"type": "object"}}}),
                "responses": _answers(_json("Analysis"), 403, 404, 415, 422),
            },
        },
        "/api/rules": {
            "get": {
                "summary": "The profiles, the switches that people change at the table, and what is usual here",
                "responses": _answers(_json("Rules"), 403, 404),
            }
        },
        "/api/matches": {
            "get": {
                "summary": "The matches in the journal, the newest first",
                "parameters": [
                    {
                        "name": "most",
                        "in": "query",
                        "schema": {"type": "integer", "minimum": 1, "maximum": 1000},
                    },
                    {"name": "before", "in": "query", "schema": _TEXT},
                ],
                "responses": _answers(_json("Matches"), 403, 404, 422),
            }
        },
        "/api/history": {
            "get": {
                "summary": "The events of one game of the running match",
                "parameters": [
                    {
                        "name": "game",
                        "in": "query",
                        "schema": {"type": "integer", "minimum": 1, "maximum": 999_999},
                    }
                ],
                "responses": _answers(_json("GameHistory"), 403, 404, 422),
            }
        },
        "/api/matches/{name}/replay": {
            "get": {
                "summary": "A match step by step, with the verdicts of its analysis",
                "parameters": [_NAME],
                "responses": _answers(_json("Replay"), 403, 404),
            }
        },
        "/api/players": {
            "get": {
                "summary": "Players' names that begin with a text, or have a word that does",
                "parameters": [{"name": "like", "in": "query", "schema": _TEXT}],
                "responses": _answers(_json("PlayerNames"), 403, 404),
            }
        },
        "/signed/{number}.svg": {
            "get": {
                "summary": "The signed statement of `match.signed` as a QR code",
                "parameters": [{**_NAME, "name": "number", "schema": {"type": "integer", "minimum": 0}}],
                "responses": _answers({"image/svg+xml": {}}, 403, 404),
            }
        },
        "/export/{name}": {
            "get": {
                "summary": "The running match's record: mat, sgf, ogxm, json or zip",
                "parameters": [_NAME],
                "responses": _answers({"application/octet-stream": {}}, 403, 404, 422),
            }
        },
    }
