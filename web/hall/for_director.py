"""The hall's services, and who may use the director's pages of a hall."""

from web.access import joined, nothing_here
from web.errors import RefusedError
from web.roles import Role, Visitor
from web.services import HallServices
from web.site import site


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
