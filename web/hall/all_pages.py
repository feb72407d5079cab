"""The pages that a hub serves."""

from web.hall.deleting import deleting
from web.hall.hub_only import hub_only
from web.hall.matches import matches
from web.hall.pages import desk, hall
from web.hall.pairings import pairings
from web.hall.pictures import pictures
from web.hall.rulings import rulings
from web.hall.tables import tables

HALL = (hall, desk, tables, matches, pairings, rulings, pictures, deleting)
"""In place of a table's pages (web/app.py)."""

WATCH = (hall, matches, hub_only)
"""Those of a process for spectators; the director's are the hub's."""
