"""Refusals as application/problem+json (RFC 9457): a title that stays the same and a sentence for people."""

import json

from flask import Response

from sentence import Sentence, spoken

CONTENT_TYPE = "application/problem+json; charset=utf-8"


def problem(status: int, title: str, sentence: Sentence | str, **more: object) -> Response:
    """The refusal with this status; `more` goes beside the standard fields.

    A `Sentence` carries what a translation needs under "say"; a text is in the visitor's language already.
    """
    said = spoken(detail=sentence) if isinstance(sentence, Sentence) else {"detail": sentence}
    body = {"type": "about:blank", "title": title, "status": status, **said, **more}
    return Response(json.dumps(body, ensure_ascii=False), status, content_type=CONTENT_TYPE)
