"""The match before the one on the table, to return to as long as nothing was played in the new one."""

from companion.errors import GameError, OutOfTurnError, UserError
from companion.game.events import AnyEvent, MatchBegan
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.records.rows import event_of
from companion.storage.errors import JournalError
from companion.storage.fallback import Backlog
from sentence import say, verbatim


class FormerMatch:
    """The last match in which something was played, and those begun after it.

    Attributes:
        table: the former match; None if there is none to return to.
    """

    def __init__(self, backlog: Backlog, table: Table) -> None:
        """Look for it in the journal, if nothing was played in the match on the table."""
        self.table: Table | None = None
        self._backlog = backlog
        self._begun: tuple[str, ...] = ()
        if table.is_untouched:
            self._look_back(_match_of(table))

    def _look_back(self, match_id: str) -> None:
        """Find the newest match before this one in which something was played."""
        self._begun = (match_id,)
        try:
            while rows := self._backlog.journal.rows_before(self._begun[0]):
                former = fold(map(event_of, rows))
                if not former.is_untouched:
                    self.table = former
                    return
                self._begun = (rows[0].match_id, *self._begun)
        except (GameError, UserError):
            return  # a match that this version cannot replay is none to return to

    def note(self, before: Table, event: AnyEvent) -> None:
        """Take notice of an event that is on the table now; `before`: the table before it."""
        if not isinstance(event, MatchBegan):
            return
        if before.entries and not before.is_untouched:
            self.table, self._begun = before, ()
        self._begun = (*self._begun, event.match_id)

    def take(self, present: Table) -> Table:
        """The former match, for the table; those begun after it are deleted.

        Raises:
            OutOfTurnError: there is none, or something was played in the present one.
            GameError: the disk does not allow it.
        """
        if self.table is None or not present.is_untouched:
            raise OutOfTurnError(say("There is no match to go back to; this one has begun."))
        try:
            self._backlog.withdraw(self._begun)
        except JournalError as error:
            raise GameError(verbatim(str(error))) from error
        table, self.table, self._begun = self.table, None, ()
        return table


def _match_of(table: Table) -> str:
    assert table.state is not None
    return table.state.terms.match_id
