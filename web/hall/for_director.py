"""Shared parts of the director's pages of a hall: who may use them, and forms that name their origin."""

from flask import Response

from web.access import joined, nothing_here
from web.errors import RefusedError
from web.roles import Role, Visitor
from web.services import HallServices
from web.site import site


def with_referrer(answer: Response) -> Response:
    """Let the form name its origin, which `check_origin` asks for."""
    answer.headers["Referrer-Policy"] = "same-origin"
    return answer


def director_here(refusal: str) -> tuple[Visitor, HallServices]:
    """The hall's director and the hub's services; RefusedError (403) with this sentence for everybody else."""
    visitor = joined()
    if visitor.role is not Role.DIRECTOR:
        raise RefusedError(403, "Not in this role", refusal)
    return visitor, hub_services()


def hub_services() -> HallServices:
    """The hub's services; RefusedError (404) on a table's page."""
    services = site().page.services.hall
    if services is None:
        raise nothing_here()
    return services
