"""The HTML pages: the scorekeeper's tablet, the spectators' board, the overlay, the join link."""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, current_app, redirect, render_template, request, send_from_directory
from flask.blueprints import BlueprintSetupState
from flask_babel import gettext as _

from web.access import check_origin, problem, visitor_here, with_referrer
from web.roles import Role, Visitor
from web.site import site

pages = Blueprint("pages", __name__)
entry = Blueprint("entry", __name__)  # what a table's page and a hall's page have both

COOKIE_S = 400 * 24 * 3600  # as long as browsers allow; the code itself is valid until revoked
STATIC = Path(__file__).parent / "static"
JS = STATIC / "js"
KEPT_S = 365 * 24 * 3600  # browsers keep a file whose address names its content, until an update
SCRIPTS = tuple(
    sorted(
        path.relative_to(JS).as_posix()
        for path in JS.rglob("*.js")
        if path.parent.name not in ("archive", "hall")
    )
)
"""The scripts of the table's pages; those of the archive and of a hall load their own."""
OF_HALL = {"wall": "wall.js", "desk": "desk.js", "hall/table": "table.js"}
"""The scripts of a hall's pages, beside `tables.js` of all three."""
OWN = ("text",)  # rooms that only the page of the same name needs
LOOKS = "(board|top|right|small|large|light|clear)"
"""The words in an overlay's address that say where it stands and how it looks."""
TARGETS = re.compile(
    r"/(watch|clock|text|wall|desk|welcome|enter)?|/t/[\w-]{1,40}|/wall\?(\d{1,2}-)?of-\d{1,2}"
    rf"|(/t/[\w-]{{1,40}})?/overlay(\?({LOOKS}(\.{LOOKS}){{0,4}})?)?",
    re.ASCII,
)
"""Addresses to which a join link may lead with `?to=`."""

LOWER_ROLE = "This link would take away a higher role that this client has; POST to it to change the role."


def plain_page(
    status: int, title: str, sentence: str, hint: str = "", match: str = "", way: str = ""
) -> Response:
    """A page with only a sentence, a hint below it, and links to the match that it is about and to where to go."""
    values = {"title": title, "sentence": sentence, "hint": hint, "match": match, "way": way}
    in_hall = site().page.services.hall is not None
    page = render_template("plain.html", visitor=visitor_here(), in_hall=in_hall, **values)
    return Response(page, status)


def way_back() -> str:
    """How to become the director where the device that was it is lost."""
    text = _(
        "Is the director’s device lost, or its browser’s data cleared? “companion links --role director” "
        "on the table’s machine prints a link that makes another device the director."
    )
    return str(text)


def not_joined() -> Response:
    """The page for a visitor without a role (403)."""
    sentence = _("Open the join link or scan its code; the scorekeeper or the director of this table has it.")
    own, _former = site().cookie_names(secure=request.is_secure)  # the former name may be another table's
    if request.cookies.get(own):
        sentence = _(
            "The code that this device came in with is no longer valid. Scan the table’s code, "
            "or let the director show you another one, in the menu under “Invite others”."
        )
    return plain_page(403, _("Please join first"), sentence, way_back())


def drawn(template: str, visitor: Visitor, **values: object) -> Response:
    """A page of this site, with what its scripts need to know."""
    here = site()
    data = {
        "beat-ms": round(1000 * here.settings.beat_s),
        "role": visitor.role.value,
        **({"seat": visitor.seat} if visitor.seat else {}),
        "doors": " ".join(here.page.services.offered),
        "theme": here.settings.theme,
        "voice": "on" if here.settings.voice else "off",
        "setup": "" if here.settings.setup is None else "open" if here.settings.setup.now.open else "done",
        "https": "here" if request.is_secure else "offered" if here.https_port else "none",
    }
    return Response(
        render_template(template, data=data, scripts=scripts_of(template.removesuffix(".html")), **values)
    )


def scripts_of(page: str) -> tuple[str, ...]:
    """The scripts that a page needs: its own, and the rooms of all; those in forms/ are loaded when first needed."""
    shared = (name for name in SCRIPTS if "/" in name and name.partition("/")[0] not in (*OWN, page))
    if page in OF_HALL:
        return (*shared, "hall/tables.js", f"hall/{OF_HALL[page]}")
    return (*shared, *(name for name in SCRIPTS if name == f"{page}.js" or name.startswith(f"{page}/")))


@pages.get("/")
def table() -> Response:
    """The scorekeeper's tablet; players see it with fewer buttons, viewers are redirected to /watch."""
    visitor = visitor_here()
    if visitor is None:
        return not_joined()
    if visitor.role is Role.VIEWER:
        return go("/watch")
    return drawn("table.html", visitor)


@pages.get("/watch")
def watch() -> Response:
    """The board for spectators."""
    visitor = visitor_here()
    return drawn("watch.html", visitor) if visitor else not_joined()


@pages.get("/overlay")
def overlay() -> Response:
    """Score, dice and cube on a transparent background, for a video stream."""
    visitor = visitor_here()
    return drawn("overlay.html", visitor, table="") if visitor else not_joined()


@pages.get("/clock")
def clock() -> Response:
    """The clock for a tablet between the players; who may not end a turn only sees it."""
    visitor = visitor_here()
    return drawn("clock.html", visitor) if visitor else not_joined()


@pages.get("/text")
def text() -> Response:
    """The table in words, for keyboard and screen reader; its commands are in docs/TEXT.md."""
    visitor = visitor_here()
    return drawn("text.html", visitor) if visitor else not_joined()


@cache
def version() -> str:
    """Eight hexadecimal digits that change with any file of the page; the program's next start sees the change."""
    found = sha256()
    for path in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        found.update(f"{path.relative_to(STATIC).as_posix()}\0{path.stat().st_size}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:8]


@entry.record_once
def _name_files_by_version(setup: BlueprintSetupState) -> None:
    """Tell the templates where the files are; at an address without a version they are asked for again each time."""
    setup.app.jinja_env.globals["static"] = f"/static/v-{version()}"
    setup.app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0


@entry.get("/static/v-<of>/<path:name>")
def file(of: str, name: str) -> Response:
    """A file of the page: to ask for each of forty whether it has changed takes longer than all the rest (RFC 8246).

    A page of another version, open since before an update, gets what has taken the file's place.
    """
    if of != version():
        return current_app.send_static_file(name)
    answer = send_from_directory(STATIC, name, max_age=KEPT_S)
    answer.cache_control.immutable = True
    return answer


@entry.get("/sw.js")
def service_worker() -> Response:
    """The script that caches the page's files; at the root, because its scope is the folder it comes from."""
    return current_app.send_static_file("sw.js")


@entry.get("/safe")
def safe() -> Response:
    """Redirect to the page over HTTPS, in the same role."""
    visitor, port = visitor_here(), site().https_port
    if visitor is None:
        return not_joined()
    if not port:
        return plain_page(404, "Not to be had", _("HTTPS is not switched on here; docs/PAGE.md says how."))
    host = request.host.rpartition(":")[0] if request.host.rsplit("]")[-1].count(":") else request.host
    answer = Response(status=303)
    answer.headers["Location"] = f"https://{host}:{port}/join/{visitor.code}"
    return answer


@entry.get("/authority.crt")
def authority() -> Response:
    """The certificate of this machine's own authority, which tablets have to trust once."""
    certificate = site().settings.authority
    if certificate is None:
        return plain_page(404, "Not to be had", _("HTTPS is not switched on here; docs/PAGE.md says how."))
    answer = Response(certificate, content_type="application/x-x509-ca-cert")
    answer.headers.set("Content-Disposition", "attachment", filename="board-companion.crt")
    return answer


@entry.route("/join/<code>", methods=["GET", "POST"])
def join(code: str) -> Response:
    """Give this browser the code's role as a cookie; 404 for an unknown code, 429 after too many.

    A browser that has a higher role is asked first, and answers by POST: a viewer's link opened on the
    scorekeeper's tablet would leave the table without a scorekeeper. A program is refused (409) instead.
    """
    visitor = site().roles.lookup(code)
    if visitor is None:
        if not site().guesses.allows(request.remote_addr or ""):
            return plain_page(429, _("Too many tries"), _("Too many wrong codes from here; wait a minute."))
        return plain_page(
            404, _("Unknown code"), _("This join code is not valid, or no longer valid; ask for a new one.")
        )
    present = visitor_here()
    loses = present is not None and present.role.rank > visitor.role.rank
    if loses and request.method == "GET":
        if "text/html" not in request.headers.get("Accept", ""):
            return problem(409, "Lower role", LOWER_ROLE)
        setup = site().settings.setup
        is_player = present is not None and present.role is Role.PLAYER
        if is_player and setup is not None and code == setup.now.door:
            return go("/enter")  # a player who scans the table's code wants another seat
        return with_referrer(Response(render_template("entrance/change.html")))
    if request.method == "POST":
        check_origin()
    target = request.args.get("to", "")
    answer = go(target if TARGETS.fullmatch(target) else "/watch" if visitor.role is Role.VIEWER else "/")
    return with_role(answer, visitor)


def with_role(answer: Response, visitor: Visitor) -> Response:
    """The answer, which gives this browser a role as a cookie."""
    own, former = site().cookie_names(secure=request.is_secure)
    answer.set_cookie(
        own,
        site().roles.cookie(visitor),
        max_age=COOKIE_S,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )
    if site().roles.of_cookie(
        request.cookies.get(former, "")
    ):  # it is this table's, and this role takes its place
        answer.delete_cookie(former, httponly=True, samesite="Lax", secure=request.is_secure)
    return answer


def go(target: str) -> Response:
    """A redirection to another page of this site."""
    answer = Response(status=303)
    answer.headers["Location"] = redirect(target, 303).headers["Location"]
    return answer
