"""JSON for the pages' scripts: a match step by step, and the names of players."""

import json
from typing import Any

from flask import Blueprint, Response, request

from web.access import keeper_here
from web.archive.access import existing, keeps, kept, looker

archive_api = Blueprint("archive_api", __name__)


def _json(body: Any) -> Response:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Response(text, content_type="application/json")


@archive_api.get("/api/matches/<name>/replay")
def steps(name: str) -> Response:
    """A match step by step, with the verdicts of its analysis where there is one that may be shown."""
    return _json(existing(kept().replay(name, keeps(looker(name)))))


@archive_api.get("/api/players")
def names() -> Response:
    """Players' names that begin with `?like=`, or have a word that does."""
    keeper_here()
    return _json({"players": list(kept().names(request.args.get("like", "")[:80]))})
