"""Refusals as application/problem+json (RFC 9457): a title that stays the same and a sentence for people."""

import json

from flask import Response

CONTENT_TYPE = "application/problem+json; charset=utf-8"


def problem(status: int, title: str, sentence: str, **more: object) -> Response:
    """The refusal with this status; `more` goes beside the standard fields."""
    body = {"type": "about:blank", "title": title, "status": status, "detail": sentence, **more}
    return Response(json.dumps(body, ensure_ascii=False), status, content_type=CONTENT_TYPE)
