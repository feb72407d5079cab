"""The pages of the first run and of newcomers, and the refusal that says what a role may do.

`/welcome` sets up the table: whoever keeps score and opens it first becomes its director. `/invite` shows the table's
code, large; who scans it chooses on `/enter` what he is here, within what the director allows.
"""

from collections.abc import Mapping, Sequence

import msgspec
from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _

from sentence import NOTHING, Sentence
from web.access import check_origin, joined, keeper_here, link_base, nothing_here, visitor_here, with_referrer
from web.errors import RefusedError
from web.languages import LANGUAGES, in_words
from web.pages import go, not_joined, plain_page, way_back, with_role
from web.qr import qr_code
from web.roles import Role, Visitor
from web.setup.table_setup import CameraChoice, SetupFile, TableSetup
from web.site import site

entrance = Blueprint("entrance", __name__)

LABEL = "table"
"""The label of the table's own code in the list of join codes."""
CHOICES: Mapping[str, Sequence[str]] = {
    "watch": ("watch",),
    "play": ("south", "north", "watch"),
    "keep": ("south", "north", "watch", "keep"),
}
"""What a newcomer may choose to be, by what the director allows."""


entrance.after_request(with_referrer)


def setup_file() -> SetupFile:
    """The table's set-up; RefusedError (404) where there is none, as in the demo."""
    found = site().settings.setup
    if found is None:
        raise nothing_here()
    return found


def role_name(visitor: Visitor) -> str:
    """The visitor's role in the words of the page's language."""
    names = {
        Role.VIEWER: _("Spectator"),
        Role.PLAYER: _("Player South") if visitor.seat == "south" else _("Player North"),
        Role.SCOREKEEPER: _("Scorekeeper"),
        Role.DIRECTOR: _("Director"),
    }
    return str(names[visitor.role])


def refused_here(title: str, sentence: str) -> Response:
    """The page (403) for a visitor whose role may not do this: what he is, what he may, and whom to ask."""
    visitor = visitor_here()
    if visitor is None:
        return plain_page(403, title, sentence)
    page = render_template(
        "entrance/refused.html",
        sentence=sentence,
        visitor=visitor,
        name=role_name(visitor),
        way_back=way_back(),
        in_hall=site().page.services.hall is not None,
    )
    return Response(page, 403)


@entrance.post("/ask")
def ask() -> Response:
    """Call the director to the table."""
    visitor = joined()
    check_origin()
    body = {"type": "call_director", "seq": site().page.state(visitor)["seq"]}
    answer = site().page.act(visitor, body)
    if answer.state is None:
        raise RefusedError(answer.status, answer.title, answer.sentence)
    return plain_page(200, _("The director is called"), _("The call is shown at the table until he comes."))


# The first run


@entrance.get("/welcome")
def welcome() -> Response:
    """The form for the table: at the first run for whoever keeps score, afterwards for the director."""
    visitor = visitor_here()
    if visitor is None:
        return not_joined()
    now = setup_file().now
    if visitor.role is not Role.DIRECTOR and not now.open:
        return go("/")
    if visitor.role.rank < Role.SCOREKEEPER.rank:
        raise RefusedError(403, "Not in this role", _("Only the director sets up the table."))
    return _form(visitor, now)


def _form(visitor: Visitor, now: TableSetup, trouble: str = "", *, first: bool = False) -> Response:
    """The form with what is set, or (422) with the camera as it was asked for and why it is not used.

    The `first` one leads on to the code for newcomers, however often it is sent.
    """
    services, camera = site().page.services, site().page.state(visitor)["camera"]
    values = {
        "now": now,
        "asked": request.form.get("camera", "") if trouble else now.camera,
        "source": request.form.get("source", "") if trouble else now.camera,
        "languages": LANGUAGES,
        "first": first,
        "sees": services.look is not None and bool(services.look()),
        "recorded": camera["state"] == "recorded",
        "tries": not now.open and _tries(visitor),
        "fixed": in_words(services.camera_fixed()) if services.camera_fixed else "",
    }
    page = render_template("entrance/welcome.html", visitor=visitor, trouble=trouble, **values)
    return Response(page, 422 if trouble else 200)


@entrance.post("/welcome")
def set_up() -> Response:
    """Set the table up; at the first run this makes the visitor the director."""
    visitor = keeper_here()
    check_origin()
    file, roles = setup_file(), site().roles
    if visitor.role is not Role.DIRECTOR and not file.now.open:
        raise RefusedError(
            403, "Not in this role", _("Somebody else has set up this table and is its director.")
        )
    asked = {key: request.form.get(key, "").strip() for key in ("name", "language", "newcomers")}
    door = file.now.door if roles.lookup(file.now.door) else roles.issue(Role.VIEWER, label=LABEL).code
    former, claims = file.now.camera, visitor.role is not Role.DIRECTOR
    try:
        wanted = msgspec.convert({**asked, "camera": former, "door": door, "open": claims}, TableSetup)
    except msgspec.ValidationError as trouble:
        raise RefusedError(422, _("Not possible"), _("The name has at most 40 letters.")) from trouble
    camera = former if site().page.services.camera_fixed else _camera_asked()
    if not file.finish(wanted):
        raise RefusedError(
            403, "Not in this role", _("Somebody else has set up this table and is its director.")
        )
    director = roles.standing(Role.DIRECTOR).visitor if claims else visitor
    refusal = _use_camera(file, camera) if camera != former else ""
    if refusal:
        first = claims or "first" in request.form
        return with_role(_form(director, file.now, refusal, first=first), director)
    leads_on = claims or camera == former or "first" in request.form
    return with_role(go("/invite" if leads_on else "/"), director)


def _tries(visitor: Visitor) -> bool:
    """Whether throws can be tried: the camera gives pictures."""
    here = site().page
    return here.services.throws is not None and here.state(visitor)["camera"]["state"] != "none"


def _camera_asked() -> str:
    """The camera chosen or typed in the form, "" for text that names none; RefusedError (422) for another choice."""
    chosen = request.form.get("camera", "").strip()
    typed = chosen == "other"
    try:
        return msgspec.convert(request.form.get("source", "").strip() if typed else chosen, CameraChoice)
    except msgspec.ValidationError as trouble:
        if typed:
            return ""  # said beside the field, in the language that the form sets
        raise RefusedError(422, _("Not possible"), _names_none()) from trouble


def _names_none() -> str:
    text = _("A camera is named by its number, or by an address such as http://192.168.1.20:8080/video.")
    return str(text)


def _use_camera(file: SetupFile, camera: str) -> str:
    """Look through another camera, and keep the choice; returns why not, else ""."""
    if not camera:
        return _names_none()
    use = site().page.services.camera
    refusal = use(camera) if use else NOTHING
    if refusal:
        return in_words(refusal)
    file.use_camera(camera)
    return ""


@entrance.get("/welcome.svg")
def own_code() -> Response:
    """This visitor's code as a QR code, to go on with the first run on a phone."""
    visitor = keeper_here()
    if not setup_file().now.open:
        raise nothing_here()
    return qr_code(f"{link_base()}/join/{visitor.code}?to=/welcome", "m")


# The director of the table's hall


@entrance.get("/visit/<ticket>")
def visit(ticket: str) -> Response:
    """Give this browser the director's role for a ticket of the hall's desk, once; 403 for any other."""
    let_in = site().page.services.visit
    if let_in is None:
        raise nothing_here()
    label = let_in(ticket)
    if isinstance(label, Sentence):
        if not site().guesses.allows(request.remote_addr or ""):
            return plain_page(429, _("Too many tries"), _("Too many wrong codes from here; wait a minute."))
        return plain_page(403, _("Not let in"), in_words(label))
    roles = site().roles
    known = (one for one in roles.all() if (one.role, one.label) == (Role.DIRECTOR, label))
    return with_role(go("/"), (next(known, None) or roles.issue(Role.DIRECTOR, label=label)).visitor)


# Newcomers


def _door() -> str:
    """The link for newcomers; "" before the table is set up or after its code was revoked."""
    door = setup_file().now.door
    return f"{link_base()}/join/{door}?to=/enter" if door and site().roles.lookup(door) else ""


@entrance.get("/invite")
def invite() -> Response:
    """The table's code, large, to show or to print."""
    visitor = keeper_here()
    return Response(
        render_template(
            "entrance/invite.html", visitor=visitor, now=setup_file().now, link=_door(), tries=_tries(visitor)
        )
    )


@entrance.get("/invite.svg")
def door_code() -> Response:
    """The table's code as a QR code."""
    keeper_here()
    link = _door()
    if not link:
        raise nothing_here()
    return qr_code(link, "m")


@entrance.get("/enter")
def enter() -> Response:
    """What a newcomer may be here, and a player instead of what he is; others go on to their page."""
    visitor = visitor_here()
    if visitor is None:
        return not_joined()
    now = setup_file().now
    choices = _choices(visitor, now)
    if not choices:
        return go("/watch" if visitor.role is Role.VIEWER else "/")
    players = site().page.state(visitor).get("match") or {}
    return Response(
        render_template(
            "entrance/enter.html",
            now=now,
            choices=choices,
            players=players.get("players") or {"south": _("South"), "north": _("North")},
        )
    )


@entrance.post("/enter")
def choose() -> Response:
    """Give the newcomer the role he chose; RefusedError (403) for one that the director does not allow."""
    visitor = joined()
    check_origin()
    now, chosen = setup_file().now, request.form.get("as", "")
    if chosen not in _choices(visitor, now):
        raise RefusedError(
            403, "Not in this role", _("The director of this table gives out this role himself.")
        )
    return with_role(
        go("/watch" if chosen == "watch" else "/"),
        _standing(chosen, visitor, now.door),
    )


def _choices(visitor: Visitor, now: TableSetup) -> Sequence[str]:
    """What this visitor may choose to be; a player may change his seat, as newcomers may take it."""
    if visitor.code == now.door:
        return CHOICES[now.newcomers]
    return [one for one in CHOICES[now.newcomers] if one != "keep"] if visitor.role is Role.PLAYER else ()


def _standing(chosen: str, visitor: Visitor, door: str) -> Visitor:
    """The visitor as what he has chosen to be; the role ends with the table's code if he came in by it."""
    roles = site().roles
    if chosen == "watch":
        return roles.lookup(door) or visitor
    through = door if visitor.code == door else visitor.through
    if chosen == "keep":
        return roles.standing(Role.SCOREKEEPER, through=through).visitor
    return roles.standing(Role.PLAYER, "south" if chosen == "south" else "north", through=through).visitor
