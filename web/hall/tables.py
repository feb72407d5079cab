"""The page on which the director invites tables to the hall: by code, QR code or file."""

import segno
from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _

from sentence import Sentence
from web.access import check_origin, joined, nothing_here
from web.errors import RefusedError
from web.roles import Role
from web.services import HallServices, Invited
from web.site import site

tables = Blueprint("tables", __name__)


def with_referrer(answer: Response) -> Response:
    """Let the form name its origin, which `check_origin` asks for."""
    answer.headers["Referrer-Policy"] = "same-origin"
    return answer


tables.after_request(with_referrer)


def _services() -> HallServices:
    """The hub's services for the director; RefusedError (403) for everybody else."""
    if joined().role is not Role.DIRECTOR:
        raise RefusedError(403, "Not in this role", _("Only the director of the hall invites tables."))
    services = site().page.services.hall
    if services is None:
        raise nothing_here()
    return services


@tables.get("/tables")
def invited() -> Response:
    """The tables invited so far, and the form for another one."""
    return Response(render_template("hall/tables.html", tables=_services().tables(), code=""))


@tables.post("/tables")
def invite() -> Response:
    """Invite a table: a page with the code, or the file. It is shown this once."""
    services = _services()
    check_origin()
    table = request.form.get("table", "").strip()
    made = services.invite(table)
    if isinstance(made, Sentence):
        raise RefusedError(422, _("Not possible"), made)
    return _file(made) if request.form.get("as") == "file" else _code(table, made, services)


def _file(made: Invited) -> Response:
    answer = Response(made.file.content, content_type=made.file.kind)
    answer.headers.set("Content-Disposition", "attachment", filename=made.file.name)
    return answer


def _code(table: str, made: Invited, services: HallServices) -> Response:
    code = segno.make(made.code, error="l", micro=False)
    picture = code.svg_data_uri(border=3, dark="#111", light="#fff", omitsize=True)
    values = {"table": table, "code": made.code, "picture": picture, "tables": services.tables()}
    return Response(render_template("hall/tables.html", **values))
