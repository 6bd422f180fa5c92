"""Cookies of this site's own: the guest's seat, language, theme, and whether results are shown.

Over TLS their names begin with `__Host-`: a browser then takes them from this host only, and from no other of its
domain. All that reads a choice knows only its plain name: the gate takes the prefix off before anything reads a
request. A guest's token is read under the name that the connection asks for, and under no other.
"""

import re
from datetime import timedelta

from django.http import HttpResponseBase

PREFIX = "__Host-"
GUEST = "atta_guest"
LANGUAGE = "language"
RESULTS = "results"
THEME = "theme"
CHOICES = frozenset({LANGUAGE, RESULTS, THEME})
_NAMED = re.compile(r"[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=")
"""A cookie's name is a token (RFC 6265). From another Django would strip blanks of all kinds, and read any name."""
_KEPT = timedelta(days=365)


def named(name: str, *, secure: bool) -> str:
    """Return under what name a cookie is kept: where there is TLS, one that only this host can set."""
    return f"{PREFIX}{name}" if secure else name


def keep(answer: HttpResponseBase, name: str, value: str, *, secure: bool, httponly: bool = False) -> None:
    """Have the browser keep a cookie for a year."""
    kept = named(name, secure=secure)
    answer.set_cookie(kept, value, max_age=_KEPT, httponly=httponly, samesite="Lax", secure=secure)


def forget(answer: HttpResponseBase, name: str) -> None:
    """Have the browser forget a cookie, also one that it has had since before there was a prefix."""
    for secure in (False, True):
        answer.delete_cookie(named(name, secure=secure), samesite="Lax")


def without_prefix(cookies: str) -> str:
    """Return a request's cookies with the plain names of choices, and without those whose name is none.

    One with the prefix goes before one without, which is from an earlier version or from another host of the domain.
    """
    pairs = [(match[1], pair) for pair in cookies.split(";") if (match := _NAMED.match(pair))]
    chosen = {named(name, secure=True): name for name in CHOICES}
    sure = {chosen[name] for name, _ in pairs if name in chosen}
    return ";".join(pair.replace(PREFIX, "", 1) if name in chosen else pair for name, pair in pairs if name not in sure)
