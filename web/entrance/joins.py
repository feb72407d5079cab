"""Join codes with their links and QR codes, for the scorekeeper and the director to hand out."""

import json

from flask import Blueprint, Response
from flask_babel import gettext as _

from web.access import body_as, check_json, check_origin, joined, keeper_here, link_base
from web.bodies import Join, Joined
from web.errors import BadRequestError, RefusedError, TooManyCodesError
from web.qr import qr_code
from web.roles import Joining, Role, Visitor
from web.site import site

joins = Blueprint("joins", __name__)


def hands_out(visitor: Visitor, role: Role) -> bool:
    """Whether a visitor may hand out a role: a director every role, a scorekeeper the lower ones."""
    return visitor.role is Role.DIRECTOR or (
        visitor.role is Role.SCOREKEEPER and role.rank < Role.SCOREKEEPER.rank
    )


def _link(joining: Joining) -> str:
    return f"{link_base()}/join/{joining.code}"


def _joined(joining: Joining, visitor: Visitor) -> Joined:
    return {
        "code": joining.code,
        "own": joining.code == visitor.code,
        "role": joining.role.value,
        "seat": joining.seat,
        "label": joining.label,
        "through": bool(joining.through),
        "link": _link(joining),
        "qr": f"/joins/{joining.code}.svg",
    }


@joins.get("/api/joins")
def listed() -> Response:
    """List the codes that this visitor may hand out."""
    visitor = keeper_here()
    mine = [_joined(joining, visitor) for joining in site().roles.all() if hands_out(visitor, joining.role)]
    return Response(json.dumps({"joins": mine}, ensure_ascii=False), content_type="application/json")


@joins.post("/api/joins")
def issue() -> Response:
    """Issue a code for a role: 201 with the code; 400, 403, 415, 422 as refusals."""
    visitor = keeper_here()
    check_origin()
    check_json()
    wanted = body_as(Join, "A join code has a role, for a player a seat, and a label of at most 80 letters.")
    role = Role(wanted.role)
    if (role is Role.PLAYER) != (wanted.seat is not None):
        raise BadRequestError("A player's code names a seat, the others none.")
    if not hands_out(visitor, role):
        raise RefusedError(403, "Not in this role", _("Only a director may hand out this role."))
    try:
        issued = site().roles.issue(role, wanted.seat, wanted.label)
    except TooManyCodesError as error:
        sentence = _("There are as many join codes as the page keeps; revoke some first.")
        raise RefusedError(422, "Too many codes", sentence) from error
    body = _joined(issued, visitor)
    return Response(json.dumps(body, ensure_ascii=False), 201, content_type="application/json")


@joins.get("/joins/<code>.svg")
def qr(code: str) -> Response:
    """The join link as a QR code (SVG)."""
    visitor = joined()
    joining = next((one for one in site().roles.all() if one.code == code), None)
    if joining is None or not hands_out(visitor, joining.role):
        raise RefusedError(404, "No such code", _("There is no code of this name that you may hand out."))
    return qr_code(_link(joining), "m")
