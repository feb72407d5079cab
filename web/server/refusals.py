"""Refusals by the server itself, before the application is called, in the form of all other refusals."""

import json
from collections.abc import Mapping
from http import HTTPStatus

PROBLEM_TYPE = "application/problem+json; charset=utf-8"

PAGE = (
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
    '<link rel="stylesheet" href="/static/css/plain.css">\n'
    '<main>\n<h1>{title}</h1>\n<p>{detail}</p>\n<p><a href="/">/</a></p>\n</main>\n</html>\n'
)
"""As web/templates/plain.html, in English: the visitor's language is not known before his request is read."""

SENTENCES: Mapping[int, str] = {
    400: "This request cannot be understood.",
    413: "That is too much for the page at once.",
    429: "These are more requests than the page answers; wait a moment.",
    431: "The head of this request is longer than the page reads.",
    500: "Something went wrong in the program; the table is unchanged. See the log.",
    501: "The page does not take requests that are sent in this way.",
}


def refusal(status: int, *, bare: bool = False, page: bool = False) -> bytes:
    """The last answer on a connection as application/problem+json, with its head.

    `bare`: without a body; `page`: as a page.
    """
    title = HTTPStatus(status).phrase
    detail = SENTENCES.get(status, SENTENCES[400])
    kind = "text/html; charset=utf-8" if page else PROBLEM_TYPE
    problem = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    body = (PAGE.format(title=title, detail=detail) if page else json.dumps(problem)).encode()
    head = (
        f"HTTP/1.1 {status} {title}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + (b"" if bare else body)
