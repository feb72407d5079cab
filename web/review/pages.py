"""The turns of a recording: those in doubt as questions with their pictures, and the record so far."""

from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request

from sentence import Sentence
from web.access import check_origin, keeper_here, nothing_here, visitor_here, with_referrer
from web.languages import in_words
from web.pages import go, not_joined
from web.services import ReviewServices
from web.site import site

review = Blueprint("review", __name__)
review.after_request(with_referrer)

MOST_TYPED = 80
"""Characters of a roll or a play that are read."""


def _service() -> ReviewServices:
    """The program's service, for whoever keeps score; RefusedError where there is none."""
    keeper_here()
    found = site().page.services.review
    if found is None:
        raise nothing_here()
    return found


@review.get("/")
def start() -> Response:
    """The first turn in doubt, or the one named by `?turn=`."""
    if visitor_here() is None:
        return not_joined()
    return _drawn(request.args.get("turn", "")[:MOST_TYPED])


def _drawn(name: str, refusal: Sentence | None = None, typed: tuple[str, str] | None = None) -> Response:
    """The page of a turn; with a refusal, and the roll and the play that were typed."""
    shown = _service().look(name)
    here = {"theme": site().settings.theme, "keeps": True, "role": "scorekeeper"}
    trouble = in_words(refusal) if refusal else ""
    page = render_template(
        "review/turns.html", shown=shown, card=shown["card"], typed=typed, trouble=trouble, **here
    )
    return Response(page, 422 if refusal else 200)


@review.post("/turns/<name>")
def answer(name: str) -> Response:
    """Take an answer: a choice, a play in words, or that nothing was played; on to the next turn in doubt."""
    service, given, typed = _service(), request.form, None
    check_origin()
    if "choice" in given:
        refusal = service.answer(name, given["choice"])
    elif "none" in given:
        refusal = service.not_played(name)
    else:
        typed = given.get("roll", "")[:MOST_TYPED], given.get("play", "")[:MOST_TYPED]
        refusal = service.typed(name, *typed)
    return _drawn(name, refusal, typed) if refusal else go("/")


@review.get("/turns/<name>")
def turn(name: str) -> Response:
    """The turn, where a page that shows a refusal is loaded again."""
    _service()
    return go("/?" + urlencode({"turn": name[:MOST_TYPED]}))


@review.get("/undo")
@review.get("/done")
def again() -> Response:
    """The page, where an address is loaded that takes a button only."""
    _service()
    return go("/")


@review.post("/undo")
def undo() -> Response:
    """Take the last answer back."""
    service = _service()
    check_origin()
    refusal = service.undo()
    return _drawn("", refusal) if refusal else go("/")


@review.post("/done")
def done() -> Response:
    """End the review and the program."""
    service = _service()
    check_origin()
    out = service.look("")["out"]
    service.close()
    return Response(render_template("review/done.html", out=out))


@review.get("/pictures/<int:number>")
def picture(number: int) -> Response:
    """The picture of a frame."""
    found = _service().picture(number)
    if found is None:
        raise nothing_here()
    return Response(found, content_type="image/jpeg")
