"""Letting others in: the join codes with their links and QR codes, for those who may hand them out."""

import io
import json
from typing import Any

import segno
from flask import Blueprint, Response, current_app, request
from flask_babel import gettext as _

from web.errors import BadRequestError
from web.guard import same_origin, visitor_of
from web.openapi import JOIN
from web.problem import problem
from web.roles import Joining, Roles
from web.shape import fault
from web.views import Role, Visitor

joins = Blueprint("joins", __name__)


def _roles() -> Roles:
    roles: Roles = current_app.extensions["roles"]
    return roles


def hands_out(visitor: Visitor, role: Role) -> bool:
    """A director may hand out every role, a scorekeeper the lower ones."""
    return visitor.role is Role.DIRECTOR or (
        visitor.role is Role.SCOREKEEPER and role.rank < Role.SCOREKEEPER.rank
    )


def _refusal(visitor: Visitor | None) -> Response | None:
    if visitor is None:
        return problem(403, "Not joined", _("Open the join link first; the scorekeeper has it."))
    if visitor.role.rank < Role.SCOREKEEPER.rank:
        return problem(403, "Not in this role", _("Join codes are the scorekeeper's business."))
    return None


def _link(joining: Joining) -> str:
    base: str = current_app.config["ADDRESS"] or request.host_url
    return f"{base.rstrip('/')}/join/{joining.code}"


def _told(joining: Joining, visitor: Visitor) -> dict[str, Any]:
    return {
        "code": joining.code,
        "own": joining.code == visitor.code,
        "role": joining.role.value,
        "seat": joining.seat,
        "label": joining.label,
        "link": _link(joining),
        "qr": f"/joins/{joining.code}.svg",
    }


@joins.get("/api/joins")
def listed() -> Response:
    """The codes that this visitor may hand out."""
    visitor = visitor_of(request, _roles())
    refusal = _refusal(visitor)
    if refusal is not None or visitor is None:
        return refusal or Response(status=403)
    told = [_told(joining, visitor) for joining in _roles().all() if hands_out(visitor, joining.role)]
    return Response(json.dumps({"joins": told}, ensure_ascii=False), content_type="application/json")


@joins.post("/api/joins")
def issue() -> Response:
    """A new code for a role."""
    visitor = visitor_of(request, _roles())
    refusal = _refusal(visitor)
    if refusal is not None or visitor is None:
        return refusal or Response(status=403)
    if not same_origin(request):
        return problem(403, "Wrong origin", _("Codes are issued from this page only, not from another site."))
    if request.mimetype != "application/json":
        return problem(415, "Not JSON", _("This is sent as JSON, with the content type application/json."))
    try:
        body = json.loads(request.get_data())
    except (ValueError, RecursionError) as trouble:
        raise BadRequestError("The request is no JSON.") from trouble
    wrong = fault(body, JOIN, "The request")
    role = Role(body["role"]) if wrong is None else Role.VIEWER
    seat = body.get("seat") if wrong is None else None
    if wrong is None and (role is Role.PLAYER) != (seat is not None):
        wrong = "A player's code names a seat, the others none."
    if wrong is not None:
        raise BadRequestError(wrong)
    if not hands_out(visitor, role):
        return problem(403, "Not in this role", _("A director hands out this role."))
    told = _told(_roles().issue(role, seat, body.get("label", "")), visitor)
    return Response(json.dumps(told, ensure_ascii=False), 201, content_type="application/json")


@joins.get("/joins/<code>.svg")
def qr(code: str) -> Response:
    """The join link as a QR code."""
    visitor = visitor_of(request, _roles())
    if visitor is None:
        return problem(403, "Not joined", _("Open the join link first; the scorekeeper has it."))
    joining = next((one for one in _roles().all() if one.code == code), None)
    if joining is None or not hands_out(visitor, joining.role):
        return problem(404, "No such code", _("There is no code of this name that you may hand out."))
    out = io.BytesIO()
    segno.make(_link(joining), error="m", micro=False).save(
        out, kind="svg", border=3, dark="#111", light="#fff", omitsize=True, xmldecl=False
    )
    return Response(out.getvalue(), content_type="image/svg+xml")
