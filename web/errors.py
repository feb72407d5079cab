"""What can go wrong with the page, in the words of the person it happens to.

WebError
├── RefusedError                      a request that is refused with a status of its own
├── BadRequestError   (ValueError)    what was asked for makes no sense
├── NotReadyError     (RuntimeError)  the table has not said anything yet
├── RolesFileError    (OSError)       the file of join codes cannot be read or written
├── PortTakenError    (OSError)       the page cannot listen there
│   └── NoSuchAddressError            this machine has no such address
└── CertificateUnusableError (OSError)  HTTPS cannot be spoken with this file
"""

from sentence import Sentence


class WebError(Exception):
    """Something about the page; the text is a sentence for people."""


class RefusedError(WebError):
    """A request that is refused: its status, and a title that is the same every time."""

    def __init__(self, status: int, title: str, sentence: Sentence | str) -> None:
        super().__init__(sentence)
        self.status, self.title, self.sentence = status, title, sentence


class BadRequestError(WebError, ValueError):
    """A request whose content makes no sense."""


class NotReadyError(WebError, RuntimeError):
    """No state has been published yet."""


class RolesFileError(WebError, OSError):
    """The file with the join codes cannot be read or written; `lasting` where another try would not help."""

    lasting = False


class PortTakenError(WebError, OSError):
    """The address cannot be listened on."""


class NoSuchAddressError(PortTakenError):
    """The address is none of this machine's, or none at all; another port would not help."""


class CertificateUnusableError(WebError, OSError):
    """The file is no certificate with its key."""
