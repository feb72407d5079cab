"""Roles, and the join codes that give them. A code is the only key; there are no passwords, no trusted addresses."""

import errno
import fcntl
import hashlib
import hmac
import json
import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Literal, TypeAlias

from web.errors import BadCodeError, RolesFileError, TooManyCodesError

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without 0/O, 1/I/L: codes are read aloud and typed on a phone
CODE_LENGTH = 10  # 31^10 is over 49 bits: thousands of years of guessing at 1,500 a second
LEAST_DIFFERENT = 6
"""So many different letters and digits a chosen code has; of drawn ones, one in 900 has fewer."""
MOST_CODES = 500
"""Valid codes at one time; a club's evening needs a few dozen."""
SECRET_BYTES = 32
COOKIE = "board_role"
"""Start of the role cookie's name, and its whole name before tables had a `mark`."""
SAFE_COOKIE = "__Host-board_role"  # over HTTPS: a separate name that plain HTTP can neither read nor set

Seat: TypeAlias = Literal["south", "north"]


class Role(Enum):
    """A visitor's rights; each role includes those before it."""

    VIEWER = "viewer"
    PLAYER = "player"
    SCOREKEEPER = "scorekeeper"
    DIRECTOR = "director"

    @property
    def rank(self) -> int:
        """Order of the roles: 0 for a viewer up to 3 for a director."""
        return list(Role).index(self)


@dataclass(frozen=True, slots=True)
class Visitor:
    """One browser: its join code with the role, for a player also the seat.

    `label` names the code's holder, `through` the table's code by which he chose this role.
    """

    role: Role
    seat: Seat | None = None
    code: str = ""
    label: str = field(default="", compare=False)
    through: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Joining:
    """A valid join code; `through` is the code whose holders chose this role, which ends with it."""

    code: str
    role: Role
    seat: Seat | None = None
    label: str = ""
    through: str = ""

    @property
    def visitor(self) -> Visitor:
        """The visitor with this code."""
        return Visitor(self.role, self.seat, self.code, self.label, self.through)


def set_damaged_aside(path: Path) -> Path | None:
    """Rename a damaged file of join codes, so that the next `Roles` makes new ones.

    All earlier codes and cookies become invalid: rights read from a damaged file are not trusted.

    Returns:
        The new name; None if the file is missing or sound.

    Raises:
        RolesFileError: the file cannot be renamed, or cannot be read for a reason that may pass.
    """
    try:
        read_codes(path)
    except FileNotFoundError:
        return None
    except RolesFileError as error:
        if not error.lasting:
            raise
        aside = _free_name(path)
        try:
            path.rename(aside)
        except OSError as trouble:
            raise _unwritable(path, trouble) from trouble
        return aside
    return None


def _free_name(path: Path) -> Path:
    """A free name for a damaged file in the same folder: STEM.damaged-N.SUFFIX."""
    number = 1
    while (aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    return aside


class Roles:
    """The valid join codes, kept in one file that is replaced as a whole at each change.

    Several programs may use the file at the same time: each checks for a newer file before it answers, and holds the
    folder's lock during a change. If the file is damaged while the program runs, the codes stay as they are; the
    next change sets the file aside and writes a new one. Raises RolesFileError if it cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._codes: dict[str, Joining] = {}
        self._secret = secrets.token_bytes(SECRET_BYTES)
        self._stamp: tuple[int, int] | None = None
        with self._changing():
            if self._stamp is None:
                self._write(self._codes)

    def issue(self, role: Role, seat: Seat | None = None, label: str = "", *, through: str = "") -> Joining:
        """Issue a code for this role; a player's has a seat.

        Raises:
            RolesFileError: the code could not be written, so it does not exist.
            TooManyCodesError: `MOST_CODES` are valid already.
            ValueError: a player without a seat, or a seat for another role.
        """
        if (role is Role.PLAYER) != (seat is not None):
            raise ValueError("a player's code names a seat, the others none")
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        joining = Joining(code, role, seat, label, through)
        with self._changing():
            if len(self._codes) >= MOST_CODES:
                raise TooManyCodesError(f"There are {MOST_CODES} join codes already; revoke some first.")
            self._keep({**self._codes, code: joining})
        return joining

    def standing(self, role: Role, seat: Seat | None = None, *, through: str = "") -> Joining:
        """The first valid code for this role and seat, issued if there is none.

        That of `through` is another than the one that is handed out itself: it ends with the code named there.
        """
        with self._changing():
            wanted = role, seat, through
            found = next((j for j in self.all() if (j.role, j.seat, j.through) == wanted), None)
        return found or self.issue(role, seat, through=through)

    def choose(self, code: str, role: Role) -> Joining:
        """Make a code of the owner's choice the standing one of this role, in place of those that it had.

        Raises:
            BadCodeError: too short or too simple to be a key, or not of the letters of codes; nothing is changed.
            RolesFileError: the code could not be written, so it does not exist.
            ValueError: a player's role, which has a seat.
        """
        if role is Role.PLAYER:
            raise ValueError("a player's code names a seat")
        code = code.upper().replace("-", "").replace(" ", "")
        if len(code) != CODE_LENGTH or not set(code) <= set(ALPHABET):
            raise BadCodeError(f"A code has {CODE_LENGTH} letters and digits, without 0, O, 1, I and L.")
        if len(set(code)) < LEAST_DIFFERENT or code in ALPHABET or code in ALPHABET[::-1]:
            raise BadCodeError(
                f"This code is easily guessed: take {CODE_LENGTH} letters and digits in no order, most of them once."
            )
        joining = Joining(code, role)
        with self._changing():
            former = {one.code for one in self.all() if one.role is role and not one.through} | {code}
            left = {key: one for key, one in self._codes.items() if not {key, one.through} & former}
            self._keep({code: joining, **left})
        return joining

    def revoke(self, code: str) -> bool:
        """Revoke a code, and with it its cookies and the roles chosen by it, at once; False if it was not valid."""
        with self._changing():
            if code not in self._codes:
                return False
            self._keep({key: one for key, one in self._codes.items() if code not in (key, one.through)})
            return True

    def lookup(self, code: str) -> Visitor | None:
        """The visitor with this code, typed in either case; None if it is not valid."""
        self._refresh()
        joining = self._codes.get(code.strip().upper())
        return joining.visitor if joining else None

    def all(self) -> tuple[Joining, ...]:
        """The valid codes, oldest first."""
        self._refresh()
        return tuple(self._codes.values())

    def cookie(self, visitor: Visitor) -> str:
        """The cookie's value for the browser: the code and its signature."""
        return f"{visitor.code}.{self._signature(visitor.code)}"

    def of_cookie(self, cookie: str) -> Visitor | None:
        """The visitor with this cookie; None if it is forged or its code no longer valid."""
        self._refresh()
        code, _, signature = cookie.partition(".")
        good = self._signature(code)
        if not hmac.compare_digest(signature.encode(), good.encode()):
            return None
        return self.lookup(code)

    def remembered(self, cookie: str) -> Visitor | None:
        """As `of_cookie`, but from memory only and without waiting for a change under way: for the server's loop."""
        code, _, signature = cookie.partition(".")
        joining = self._codes.get(code)
        good = joining is not None and hmac.compare_digest(signature.encode(), self._signature(code).encode())
        return joining.visitor if joining and good else None

    @property
    def mark(self) -> str:
        """Letters that tell this table's cookies from those of others at the same address."""
        return self._signature("mark")[:8]

    def _signature(self, code: str) -> str:
        return hmac.new(self._secret, code.encode(), hashlib.sha256).hexdigest()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the lock against all threads and programs, with the newest codes read."""
        with self._lock:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY)
            except OSError as trouble:
                raise _unwritable(self._path, trouble) from trouble
            try:
                fcntl.flock(folder, fcntl.LOCK_EX)
                self._refresh()
                yield
            finally:
                os.close(folder)

    def _refresh(self) -> None:
        """Read the file if it has been replaced, and write it anew if it was deleted."""
        with self._lock:
            stamp = self._stamp_now()
            if stamp is None and self._stamp is not None:
                with suppress(RolesFileError):  # the codes stay valid as long as this program runs
                    self._write(self._codes)
            if stamp is None or stamp == self._stamp:
                return
            try:
                self._secret, self._codes = read_codes(self._path)
            except FileNotFoundError:
                return
            except RolesFileError as error:
                if self._stamp is None or not error.lasting:
                    raise
            self._stamp = stamp

    def _stamp_now(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    def _keep(self, codes: dict[str, Joining]) -> None:
        self._write(codes)
        self._codes = codes

    def _write(self, codes: dict[str, Joining]) -> None:
        rows = [asdict(joining) | {"role": joining.role.value} for joining in codes.values()]
        text = json.dumps({"secret": self._secret.hex(), "codes": rows}, indent=1)
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        set_damaged_aside(self._path)
        try:
            with open(
                os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
            ) as out:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
            os.replace(beside, self._path)
        except OSError as trouble:
            raise _unwritable(self._path, trouble) from trouble
        self._stamp = self._stamp_now()


def read_codes(path: Path) -> tuple[bytes, dict[str, Joining]]:
    """The secret and the codes in a file; RolesFileError, or FileNotFoundError if there is no file."""
    if path.exists() and not path.is_file():  # reading a pipe or a device may never end
        error = RolesFileError(
            f"The file of join codes {path} is no file; the next start of 'companion run' sets it aside."
        )
        error.lasting = True
        raise error
    try:
        kept: Any = json.loads(path.read_text("utf-8"))
        secret = bytes.fromhex(kept["secret"])
        codes = [_joining(row) for row in kept["codes"]]
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"its secret has {len(secret)} bytes")
    except FileNotFoundError:
        raise
    except OSError as trouble:
        error = RolesFileError(f"The file of join codes {path} cannot be read ({trouble.strerror}).")
        error.lasting = trouble.errno in (errno.EACCES, errno.EISDIR, errno.EIO, errno.ELOOP)
        raise error from trouble
    except (ValueError, KeyError, TypeError, RecursionError) as trouble:
        error = RolesFileError(
            f"The file of join codes {path} is damaged; the next start of 'companion run' makes new codes."
        )
        error.lasting = True
        raise error from trouble
    return secret, {joining.code: joining for joining in codes}


def _joining(row: Any) -> Joining:
    """A code from its row in the file; ValueError if `Roles` cannot have issued it."""
    joining = Joining(row["code"], Role(row["role"]), row["seat"], row["label"], row.get("through", ""))
    good = len(joining.code) == CODE_LENGTH and set(joining.code) <= set(ALPHABET)
    seats = ("south", "north") if joining.role is Role.PLAYER else (None,)
    if not good or joining.seat not in seats:
        raise ValueError(f"{str(row)[:60]} is no join code")
    return joining


def _unwritable(path: Path, trouble: OSError) -> RolesFileError:
    return RolesFileError(f"The file of join codes {path} cannot be written ({trouble.strerror}).")
