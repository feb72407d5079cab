"""Settings of HTTPS."""

import ssl
from pathlib import Path

from web.errors import CertificateUnusableError


def tls_context(certificate: Path) -> ssl.SSLContext:
    """The server's TLS settings; CertificateUnusableError if the file does not hold a certificate with its key."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        if certificate.exists() and not certificate.is_file():  # reading a pipe would block
            raise OSError("it is no file")
        context.load_cert_chain(certificate)
    except (OSError, ssl.SSLError) as trouble:
        raise CertificateUnusableError(
            f"The certificate {certificate} cannot be used ({trouble.strerror or trouble}); "
            "it has to be a PEM file with the certificate and its key."
        ) from trouble
    context.set_alpn_protocols(["http/1.1"])
    return context
