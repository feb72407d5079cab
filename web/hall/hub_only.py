"""What a process for spectators answers at the addresses of which the hub alone has the pages."""

from flask import Blueprint, Response, request
from flask_babel import gettext as _

from web.access import link_base, problem
from web.hall.for_director import hub_services
from web.pages import plain_page

hub_only = Blueprint("hub_only", __name__)

TITLE = "At the hub"


@hub_only.route("/<path:rest>", methods=["GET", "POST"])
def elsewhere(rest: str) -> Response:
    """A sentence (404) with the same address at the hub."""
    port = hub_services().hub_port()
    if not port:
        text = _("Only spectators’ pages are here; the hub, which has the others, does not run now.")
        way = ""
    else:
        scheme, _colon, host = link_base().partition("://")
        name = host.rpartition(":")[0] if host.rsplit("]")[-1].count(":") else host
        way = f"{scheme}://{name}:{port}/{rest}"
        text = _("Only spectators’ pages are here; the hub has the others: %(address)s", address=way)
    if request.path.startswith("/api/"):
        return problem(404, TITLE, text)
    return plain_page(404, _("Not here"), text, way=way)
