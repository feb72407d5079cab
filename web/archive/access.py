"""Who may see and change kept matches: the scorekeeper all, everybody who has joined the one on the table."""

from typing import TypeVar

from flask_babel import gettext as _

from sentence import Sentence
from web.access import joined, nothing_here
from web.errors import RefusedError
from web.roles import Role, Visitor
from web.services import KeptMatches
from web.site import site

T = TypeVar("T")


def kept() -> KeptMatches:
    """The program's services; RefusedError (404) where it has none."""
    services = site().page.services.kept
    if services is None:
        raise nothing_here()
    return services


def keeps(visitor: Visitor) -> bool:
    """Whether this visitor is scorekeeper or director."""
    return visitor.role.rank >= Role.SCOREKEEPER.rank


def looker(match_id: str) -> Visitor:
    """The visitor, who may look at this match; RefusedError (403) if he may not."""
    visitor = joined()
    if not keeps(visitor) and match_id != kept().running():
        raise RefusedError(
            403,
            "Not in this role",
            _(
                "Only the scorekeeper and the director may look at matches that are not on the table; ask one of them."
            ),
        )
    return visitor


def existing(found: T | None) -> T:
    """What was found of a match; RefusedError (404) if there is no such match."""
    if found is None:
        raise RefusedError(404, "No such match", _("There is no such match."))
    return found


def done(sentence: Sentence, match: str = "") -> None:
    """RefusedError (422), with the match's page, for a sentence why something was not done; not for an empty one."""
    if sentence:
        raise RefusedError(422, _("Not possible"), sentence, match)
