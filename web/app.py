"""The page's Flask application; a join code decides who sees the table and who may act on it."""

from collections.abc import Mapping, Sequence

from flask import Blueprint, Flask, Response, current_app, request
from flask_babel import lazy_gettext as _
from werkzeug.exceptions import HTTPException

from sentence import Sentence
from web.access import check_host, problem
from web.api import api
from web.archive.api import archive_api
from web.archive.pages import archive
from web.camera import camera
from web.crowd.repeats import OncePerMinute
from web.entrance.joins import joins
from web.entrance.pages import entrance, refused_here
from web.errors import NotReadyError, RefusedError, RolesFileError, WebError
from web.languages import in_words, set_up_languages
from web.page import Page
from web.pages import entry, pages, plain_page
from web.records import records
from web.roles import Roles
from web.site import WebSettings, site_for

__all__ = ["WebSettings", "create_app"]

_ONCE = OncePerMinute()
BODY_BYTES = 64 * 1024  # the longest valid action, a new match with all its settings, is under 4 kB

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",  # the camera's picture while the board is being placed
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # a join link must not leak to the next site
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}
SENTENCES: Mapping[int, object] = {
    400: _("This request cannot be understood."),
    404: _("There is nothing at this address."),
    405: _("This address cannot be used in this way."),
    413: _("That is too much for the page at once."),
    500: _("Something went wrong in the program; the table is unchanged. See the log."),
    503: _("The hall’s record cannot be reached just now. The tables play on; try again in a moment."),
}
TITLES: Mapping[int, object] = {404: _("Not here"), 413: _("Not possible"), 503: _("Not possible")}
"""Headings of pages, where a refusal's own title is for programs."""

TABLE = (pages, camera, records, archive, archive_api, entrance)
"""The pages of a table; those of a hall are in web/hall/pages.py."""


def create_app(
    page: Page, roles: Roles, settings: WebSettings | None = None, of: Sequence[Blueprint] = TABLE
) -> Flask:
    """The application that shows `page`, on the pages `of` a table or a hall, to visitors with a join code."""
    settings = settings or WebSettings()
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = BODY_BYTES
    app.extensions["site"] = site_for(page, roles, settings)
    if settings.proxies:
        from werkzeug.middleware.proxy_fix import ProxyFix

        n = settings.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n)  # type: ignore[method-assign]
    setup = settings.setup
    set_up_languages(app, lambda: settings.language or (setup.now.language if setup else ""))
    for blueprint in (entry, api, joins, *of):
        app.register_blueprint(blueprint)
    app.logger.addFilter(_ONCE)
    app.before_request(check_host)
    app.after_request(_with_headers)
    app.register_error_handler(HTTPException, _http_refusal)
    app.register_error_handler(WebError, _web_refusal)
    if settings.away is not None:
        app.register_error_handler(settings.away, _database_away)
    return app


def _with_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _http_refusal(trouble: HTTPException) -> Response:
    status = trouble.code or 500
    sentence = str(SENTENCES.get(status, trouble.description or trouble.name))
    answer = _refusal(status, trouble.name, sentence)
    for name, value in trouble.get_headers():
        if name.lower() not in ("content-type", "content-length"):
            answer.headers[name] = value
    return answer


def _web_refusal(trouble: WebError) -> Response:
    if isinstance(trouble, RefusedError):
        return _refusal(trouble.status, trouble.title, trouble.sentence, trouble.match)
    if isinstance(trouble, NotReadyError):
        answer = _refusal(503, "Not ready", str(trouble))
        answer.headers["Retry-After"] = "1"
        return answer
    if isinstance(trouble, RolesFileError):
        return _refusal(500, "Join codes unavailable", str(trouble))
    return _refusal(400, "Bad request", str(trouble))


def _database_away(trouble: Exception) -> Response:
    """503 with a sentence; what the database said goes into the log, once a minute."""
    current_app.logger.error("A page could not be made: %s", trouble)
    answer = _refusal(503, "Not ready", str(SENTENCES[503]))
    answer.headers["Retry-After"] = "1"
    return answer


def _refusal(status: int, title: str, sentence: Sentence | str, match: str = "") -> Response:
    is_json = request.path.startswith(("/api/", "/pictures/", "/joins/", "/export/"))
    if is_json or request.path.endswith(".json"):
        return problem(status, title, sentence)
    text = in_words(sentence) if isinstance(sentence, Sentence) else sentence
    return (
        refused_here(title, text)
        if status == 403
        else plain_page(status, str(TITLES.get(status, title)), text, match=match)
    )
