"""The machine's own certificate for HTTPS, signed by a small authority of this machine only.

Tablets that trust the authority show the page without a warning, keep the screen awake and can install it. The
authority is limited to this machine's names and to private addresses, so that it is useless elsewhere.
"""

import ipaddress
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from companion.errors import UserError
from companion.service.health import BUILT
from companion.storage.folder import AUTHORITY, AUTHORITY_KEY, CERTIFIED_NAMES, PAGE_CERTIFICATE
from companion.storage.wholefile import write_whole

AUTHORITY_DAYS, PAGE_DAYS = 3650, 820
"""Apple's devices reject a server certificate valid for more than 825 days."""
RENEW_DAYS = 120
"""The first start in the last RENEW_DAYS of a certificate makes a new one."""
PRIVATE = [
    ipaddress.ip_network(network)
    for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")
]
NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class CertificateError(UserError):
    """No certificate can be made or used; the text has the remedy."""


def own_certificate(folder: Path, names: Sequence[str]) -> Path:
    """The page's certificate with its key, as one PEM file; made if missing, damaged, old, or for other names.

    Args:
        folder: the folder of authority and certificate, readable by their owner only.
        names: host names and addresses of the page; those that the authority does not permit are left out, as with one
            of them nobody would trust the certificate under any name.

    Raises:
        CertificateError: openssl is missing or failed, or the folder cannot be used.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        authority, names_file, page = folder / AUTHORITY, folder / CERTIFIED_NAMES, folder / PAGE_CERTIFICATE
        fresh = page.exists() and _holds(page)
        if not authority.exists() or not (folder / AUTHORITY_KEY).exists() or not _holds(authority):
            _make_authority(folder, [name for name in names if not _is_address(name)])
            fresh = False
        listed = "\n".join(sorted(names)) + "\n"
        if not fresh or not names_file.exists() or names_file.read_text("utf-8") != listed:
            permitted = permitted_of(folder, names)
            if not permitted:
                raise CertificateError(f"The authority in {folder} holds for none of {', '.join(names)}.")
            _make_page(folder, permitted)
            write_whole(names_file, listed.encode())
        return page
    except OSError as error:
        raise CertificateError(
            f"The certificate in {folder} cannot be used: {error.strerror or error}."
        ) from error


def permitted_of(folder: Path, names: Sequence[str]) -> list[str]:
    """Those of these names for which the authority in a folder may vouch, or the one that would be made there.

    Raises:
        CertificateError: openssl failed.
    """
    hosts = {name.casefold() for name in names if not _is_address(name)}
    if (folder / AUTHORITY).exists() and _holds(folder / AUTHORITY):
        wanted = ("x509", "-in", AUTHORITY, "-noout", "-ext", "nameConstraints")
        hosts = {
            line.strip().removeprefix("DNS:").casefold() for line in _openssl(folder, *wanted).splitlines()
        }
    return [name for name in names if (_is_private(name) if _is_address(name) else name.casefold() in hosts)]


def _is_private(address: str) -> bool:
    return any(ipaddress.ip_address(address) in network for network in PRIVATE)


def validity_s(file: Path) -> tuple[float, float]:
    """Begin and end of the validity of a PEM file's first certificate, in seconds since 1970, by openssl.

    Raises:
        CertificateError: openssl failed, or printed no dates.
    """
    output = _openssl(file.parent, "x509", "-in", file.name, "-noout", "-dates", doing="read the certificate")
    try:
        begins, ends = (line.partition("=")[2] for line in output.strip().splitlines())
        return ssl.cert_time_to_seconds(begins), ssl.cert_time_to_seconds(ends)
    except ValueError:
        raise CertificateError(f"{file} does not say from when until when it holds.") from None


def _holds(file: Path) -> bool:
    """Whether tablets accept the certificate now and for RENEW_DAYS; true while the clock is not set.

    A certificate dated up to a day ahead is kept, because tablets trust it: the clock may have been set back since.
    """
    if time.time() < BUILT or shutil.which("openssl") is None:
        return True
    try:
        begins_s, ends_s = validity_s(file)
    except CertificateError:  # damaged
        return False
    return begins_s - 86400 < time.time() < ends_s - RENEW_DAYS * 86400


def own_names(address: str) -> list[str]:
    """The names of this machine in its network, and its address if that is private."""
    host = socket.gethostname().split(".")[0].lower() or "localhost"
    mine = [address] if _is_private(address) else []
    return list(dict.fromkeys([host, f"{host}.local", "localhost", "127.0.0.1", *mine]))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _make_authority(folder: Path, hosts: Sequence[str]) -> None:
    permitted = [f"permitted;DNS:{host}" for host in hosts]
    permitted += [f"permitted;IP:{one.network_address}/{one.netmask}" for one in PRIVATE]
    _openssl(
        folder,
        *("req", "-x509", *NEW_KEY),
        *("-days", str(AUTHORITY_DAYS), "-subj", f"/CN=Board companion {hosts[0] if hosts else ''}"),
        *("-addext", "basicConstraints=critical,CA:TRUE,pathlen:0"),
        *("-addext", "keyUsage=critical,keyCertSign,cRLSign"),
        *("-addext", f"nameConstraints=critical,{','.join(permitted)}"),
        *("-keyout", AUTHORITY_KEY, "-out", AUTHORITY),
    )


def _make_page(folder: Path, names: Sequence[str]) -> None:
    subjects = ",".join(f"{'IP' if _is_address(name) else 'DNS'}:{name}" for name in names)
    usage = f"subjectAltName={subjects}\nextendedKeyUsage=serverAuth\nkeyUsage=digitalSignature\n"
    (folder / "page.ext").write_text(usage, "utf-8")
    request = ("-subj", f"/CN={names[0]}", "-keyout", "page.key", "-out", "page.csr")
    _openssl(folder, "req", "-new", *NEW_KEY, *request)
    _openssl(
        folder,
        *("x509", "-req", "-in", "page.csr", "-CA", AUTHORITY, "-CAkey", AUTHORITY_KEY, "-CAcreateserial"),
        *("-days", str(PAGE_DAYS), "-extfile", "page.ext", "-out", "page.crt"),
    )
    parts = [(folder / name).read_bytes() for name in ("page.key", "page.crt", AUTHORITY)]
    write_whole(folder / PAGE_CERTIFICATE, b"".join(parts))
    (folder / PAGE_CERTIFICATE).chmod(0o600)
    for name in ("page.key", "page.crt", "page.csr", "page.ext"):
        (folder / name).unlink()


def _openssl(folder: Path, *words: str, doing: str = "make the page's certificate") -> str:
    program = shutil.which("openssl")
    if program is None:
        raise CertificateError(
            "HTTPS needs openssl: 'sudo apt install openssl' installs it; page.https_port = 0 does without."
        )
    done = subprocess.run(
        [program, *words],
        cwd=folder,
        env={**os.environ, "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        umask=0o077,
    )
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise CertificateError(f"openssl could not {doing}: {why}")
    return done.stdout
