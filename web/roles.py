"""Join codes: who may do what. A code is the only key; there is no password and no trusted address."""

import hashlib
import hmac
import json
import os
import secrets
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from web.errors import RolesFileError
from web.views import Role, Seat, Visitor

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without 0/O, 1/I/L: codes are read aloud and typed on a phone
CODE_LENGTH = 10  # 31^10 is over 49 bits; guesses are slowed down besides
COOKIE = "board_role"


@dataclass(frozen=True, slots=True)
class Joining:
    """A join code that is in force."""

    code: str
    role: Role
    seat: Seat | None = None
    label: str = ""

    @property
    def visitor(self) -> Visitor:
        """Who comes in with this code."""
        return Visitor(self.role, self.seat, self.code)


class Roles:
    """The join codes in force, kept in one file that is replaced as a whole at each change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._codes: dict[str, Joining] = {}
        self._secret = secrets.token_bytes(32)
        if path.exists():
            self._read()
        else:
            self._write(self._codes)

    def issue(self, role: Role, seat: Seat | None = None, label: str = "") -> Joining:
        """A new code for this role; the seat is a player's.

        Raises:
            RolesFileError: the code could not be kept, so it does not exist.
            ValueError: a player without a seat, or a seat for somebody else.
        """
        if (role is Role.PLAYER) != (seat is not None):
            raise ValueError("a player's code names a seat, the others none")
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        joining = Joining(code, role, seat, label)
        with self._lock:
            self._keep({**self._codes, code: joining})
        return joining

    def standing(self, role: Role, seat: Seat | None = None) -> Joining:
        """The first code in force for this role and seat, issued if there is none yet."""
        found = next((j for j in self.all() if j.role is role and j.seat == seat), None)
        return found or self.issue(role, seat)

    def revoke(self, code: str) -> bool:
        """Put a code out of force; False when there was none. Cookies made from it stop working at once."""
        with self._lock:
            if code not in self._codes:
                return False
            self._keep({key: joining for key, joining in self._codes.items() if key != code})
            return True

    def lookup(self, code: str) -> Visitor | None:
        """Who comes in with this code, typed in either case."""
        joining = self._codes.get(code.strip().upper())
        return joining.visitor if joining else None

    def all(self) -> tuple[Joining, ...]:
        """The codes in force, oldest first."""
        return tuple(self._codes.values())

    def cookie(self, visitor: Visitor) -> str:
        """What the browser keeps: the code and its signature."""
        return f"{visitor.code}.{self._signature(visitor.code)}"

    def of_cookie(self, cookie: str) -> Visitor | None:
        """Who holds this cookie; None when it is forged or its code no longer in force."""
        code, _, signature = cookie.partition(".")
        good = self._signature(code)
        if not hmac.compare_digest(signature.encode(), good.encode()):
            return None
        return self.lookup(code)

    def _signature(self, code: str) -> str:
        return hmac.new(self._secret, code.encode(), hashlib.sha256).hexdigest()

    def _read(self) -> None:
        try:
            kept: Any = json.loads(self._path.read_text("utf-8"))
            self._secret = bytes.fromhex(kept["secret"])
            codes = [
                Joining(row["code"], Role(row["role"]), row["seat"], row["label"]) for row in kept["codes"]
            ]
        except (OSError, ValueError, KeyError, TypeError) as trouble:
            raise RolesFileError(
                f"The file of join codes {self._path} cannot be read ({trouble}); "
                "move it away and new codes will be made."
            ) from trouble
        self._codes = {joining.code: joining for joining in codes}

    def _keep(self, codes: dict[str, Joining]) -> None:
        self._write(codes)
        self._codes = codes

    def _write(self, codes: dict[str, Joining]) -> None:
        rows = [asdict(joining) | {"role": joining.role.value} for joining in codes.values()]
        text = json.dumps({"secret": self._secret.hex(), "codes": rows}, indent=1)
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with open(
                os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
            ) as out:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
            os.replace(beside, self._path)
        except OSError as trouble:
            raise RolesFileError(
                f"The file of join codes {self._path} cannot be written ({trouble.strerror})."
            ) from trouble
