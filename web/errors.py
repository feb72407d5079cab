"""Errors of the page; their texts are for the person who meets them.

WebError
├── RefusedError                      a request refused with its own status
├── BadRequestError   (ValueError)    a malformed request
├── NotReadyError     (RuntimeError)  no state has been published yet
├── RolesFileError    (OSError)       the file of join codes cannot be read or written
├── TooManyCodesError (ValueError)    no more join codes are issued
├── BadCodeError      (ValueError)    a join code of the owner's choice is none, or easily guessed
├── TableSetupError   (OSError)       what is set for the table cannot be written
├── PortTakenError    (OSError)       the page cannot listen on this port
│   └── NoSuchAddressError            this machine has no such address
└── CertificateUnusableError (OSError)  the file is no certificate for HTTPS
"""

from sentence import Sentence


class WebError(Exception):
    """An error of the page; the text is a sentence for people."""


class RefusedError(WebError):
    """A refused request: its HTTP status, a constant title, a sentence for people, and the match that it is about.

    `match` is the address of the match's page, for the way back; "" for none.
    """

    def __init__(self, status: int, title: str, sentence: Sentence | str, match: str = "") -> None:
        super().__init__(sentence)
        self.status, self.title, self.sentence, self.match = status, title, sentence, match


class BadRequestError(WebError, ValueError):
    """A malformed request."""


class NotReadyError(WebError, RuntimeError):
    """No state has been published yet."""


class RolesFileError(WebError, OSError):
    """The file of join codes cannot be read or written; `lasting` if another try would not help."""

    lasting = False


class TooManyCodesError(WebError, ValueError):
    """As many join codes are valid as the page keeps."""


class BadCodeError(WebError, ValueError):
    """A join code of the owner's choice is none, or easily guessed."""


class TableSetupError(WebError, OSError):
    """The file with what is set on the page for the table cannot be written."""


class PortTakenError(WebError, OSError):
    """The page cannot listen on this address and port."""


class NoSuchAddressError(PortTakenError):
    """The address is not this machine's, or not an address; another port would not help."""


class CertificateUnusableError(WebError, OSError):
    """The file does not hold a certificate with its key."""
