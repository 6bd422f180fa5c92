"""Requests that get the same answer: readers without an account who ask for the same page in the same form."""

import re
from typing import NamedTuple

from django.http import HttpRequest
from django.middleware.gzip import re_accepts_gzip
from django.utils.translation import get_language_from_request

from atta_site.delivery import is_personal
from atta_site.serving.answers import Answer
from games.cookies import THEME
from games.guests import HEADER as GUEST

_PAGES = ("/about/", "/clubs/", "/games/", "/leaderboards/", "/players/", "/rules/")
_GAME = re.compile(r"/games/([0-9a-z]{8})/(?:embed/)?|/api/v1/games/([0-9a-z]{8})/frames")
"""What shows a game and nothing else."""
_PART = re.compile(r"(?:(?:(?:ply|start)=[0-9]{1,5}|theme=(?:dark|light)|part=moves|result)(?:&|$))*")
"""The parts of it that readers step through. Any other address of it may show more than the game."""
_NOT_ALIKE = (
    *("HTTP_AUTHORIZATION", f"HTTP_{GUEST.upper().replace('-', '_')}"),
    *("HTTP_RANGE", "HTTP_IF_RANGE", "HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_UPGRADE"),
)
"""Headers that say who reads, or ask for something else than the whole answer."""
_VARIES = frozenset({"accept", "accept-encoding", "accept-language", "authorization", "cookie", "hx-request"})
"""Headers in which requests that are alike do not differ, as far as answers depend on them."""
_OK = 200


class Alike(NamedTuple):
    """What a public answer depends on, besides the data: requests that are equal in this get the same answer."""

    path: str
    query: str
    host: str
    scheme: str
    proxied: str | None
    language: str
    theme: str
    packed: bool
    accept: str | None
    part: str | None

    @property
    def game(self) -> str:
        """Return the key of the game that the answer shows, if it shows nothing else; empty otherwise."""
        found = _GAME.fullmatch(self.path)
        return (found[1] or found[2]) if found and _PART.fullmatch(self.query) else ""


def alike(request: HttpRequest) -> Alike | None:
    """Return what a request has in common with others; None if its answer may be for its reader alone."""
    path, meta = request.path_info, request.META
    if request.method != "GET" or not (path == "/" or path.startswith(_PAGES) or _GAME.fullmatch(path)):
        return None
    if is_personal(request) or any(name in meta for name in _NOT_ALIKE):
        return None
    theme = request.COOKIES.get(THEME, "")
    return Alike(
        path=path,
        query=meta["QUERY_STRING"],
        host=meta.get("HTTP_HOST", ""),
        scheme=request.scheme or "",
        proxied=meta.get("HTTP_X_FORWARDED_PROTO"),
        language=get_language_from_request(request),
        theme=theme if theme in ("dark", "light") else "",
        packed=re_accepts_gzip.search(meta.get("HTTP_ACCEPT_ENCODING", "")) is not None,
        accept=meta.get("HTTP_ACCEPT") if path.startswith("/api/") else None,
        part=meta.get("HTTP_HX_REQUEST"),
    )


def is_for_all(answer: Answer) -> bool:
    """Return whether an answer is the same for all whose requests are alike: Django marked it as public."""
    headers = [(name.lower(), value.lower()) for name, value in answer.headers]
    named = dict(headers)
    caching = {word.strip() for word in named.get("cache-control", "").split(",")}
    varies = {word.strip() for word in named.get("vary", "").split(",")} - {""}
    is_public = "public" in caching and not caching & {"private", "no-store"} and "set-cookie" not in named
    return answer.status == _OK and isinstance(answer.content, bytes) and is_public and varies <= _VARIES
