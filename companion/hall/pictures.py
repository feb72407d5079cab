"""What the hub does with a picture that a table sends: it keeps one that it wants, and that the record vouches for."""

from dataclasses import dataclass, replace

from companion.hall.protocol.messages import BadMessageError, encoded
from companion.hall.protocol.pictures import (
    PicturesWanted,
    PicturesWord,
    evidence_of,
    is_picture_of,
    picture_in,
)
from companion.hall.record.store import Store


@dataclass(frozen=True, slots=True)
class PictureRules:
    """Which pictures a hall has: when, and how many bytes of them in all."""

    when: PicturesWord = "asked"
    quota_bytes: int = 500 << 20

    @property
    def disputes(self) -> bool:
        """Whether those of disputes come without being asked for."""
        return self.when == "disputes"


def take_picture(store: Store, table: str, payload: bytes, rules: PictureRules, now_ms: int) -> None:
    """Keep a picture of a table, or note why it has none, to be committed.

    It has to be the very picture that the throw's row in the record of this table names by its digest.

    Raises:
        BadMessageError: it is none of the table's, none that the hall wants, too large, or no JPEG.
    """
    head, jpeg = picture_in(payload)
    throw, pictures = head.throw, store.pictures
    is_asked = pictures.is_asked(table, throw)
    if rules.when == "never" or not (is_asked or rules.disputes):
        raise BadMessageError("It sent a picture that nobody has asked for.")
    if not jpeg:
        store.begin()
        pictures.answer(table, head)
        return
    rows = store.rows_between(table, throw.match, throw.number, throw.number)
    if not rows or evidence_of(rows[0]) is None:
        raise BadMessageError("It sent a picture of a throw that is not in its record.")
    store.begin()
    if not is_picture_of(rows[0], jpeg):
        pictures.answer(table, replace(head, missing="gone"))
        raise BadMessageError(
            f"It sent another picture than the one of event {throw.number} of match {throw.match}."
        )
    if not pictures.keep(table, throw, jpeg, now_ms, rules.quota_bytes):
        pictures.answer(table, replace(head, missing="large"))
        raise BadMessageError(f"There are too many pictures of match {throw.match} already.")
    pictures.answer(table, head)


def wanted_now(store: Store, rules: PictureRules, tables: list[str]) -> dict[str, bytes]:
    """What each table is told that is wanted of its pictures; StoreError if the record cannot be read."""
    if rules.when == "never":
        return {}
    wanted = store.pictures.wanted(rules.disputes)
    if rules.disputes:
        wanted = {name: PicturesWanted(disputes=True) for name in tables} | wanted
    return {name: encoded(one) for name, one in wanted.items()}
