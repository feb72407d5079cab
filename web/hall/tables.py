"""The page on which the director invites tables to the hall: by code, QR code or file."""

from collections.abc import Mapping

import segno
from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _

from sentence import NOTHING, Sentence
from web.access import check_origin, with_referrer
from web.hall.for_director import director_here
from web.services import HallServices, Invited

tables = Blueprint("tables", __name__)


tables.after_request(with_referrer)


def _services() -> HallServices:
    return director_here(_("Only the director of the hall invites tables."))[1]


@tables.get("/tables")
def invited() -> Response:
    """The tables invited so far, and the form for another one."""
    return _page(_services())


@tables.post("/tables")
def invite() -> Response:
    """Invite a table: a page with the code, or the file. It is shown this once."""
    services = _services()
    check_origin()
    table = request.form.get("table", "").strip()
    made = services.invite(table)
    if isinstance(made, Sentence):
        return _page(services, {"table": table, "trouble": made}, 422)
    return _file(made) if request.form.get("as") == "file" else _code(table, made, services)


def _page(services: HallServices, values: Mapping[str, object] | None = None, status: int = 200) -> Response:
    given = {"code": "", "is_taken": True, "table": "", "trouble": NOTHING, **(values or {})}
    return Response(render_template("hall/tables.html", tables=services.tables(), **given), status)


def _file(made: Invited) -> Response:
    answer = Response(made.file.content, content_type=made.file.kind)
    answer.headers.set("Content-Disposition", "attachment", filename=made.file.name)
    return answer


def _code(table: str, made: Invited, services: HallServices) -> Response:
    code = segno.make(made.code, error="l", micro=False)
    picture = code.svg_data_uri(border=3, dark="#111", light="#fff", omitsize=True)
    values = {"table": table, "code": made.code, "picture": picture, "is_taken": made.is_taken}
    return _page(services, values)
