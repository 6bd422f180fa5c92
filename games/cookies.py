"""Cookies of this site's own: the guest's seat, language, theme, and whether results are shown.

Over TLS their names begin with `__Host-`: a browser then takes them from this host only, and from no other of its
domain. All that reads them knows only the plain names: the gate takes the prefix off before anything reads a request.
"""

from datetime import timedelta

from django.http import HttpResponseBase

PREFIX = "__Host-"
GUEST = "atta_guest"
LANGUAGE = "language"
RESULTS = "results"
THEME = "theme"
OURS = frozenset({GUEST, LANGUAGE, RESULTS, THEME})
_KEPT = timedelta(days=365)


def keep(answer: HttpResponseBase, name: str, value: str, *, secure: bool, httponly: bool = False) -> None:
    """Have the browser keep a cookie for a year, under the name that only this host can set where there is TLS."""
    named = f"{PREFIX}{name}" if secure else name
    answer.set_cookie(named, value, max_age=_KEPT, httponly=httponly, samesite="Lax", secure=secure)


def forget(answer: HttpResponseBase, name: str) -> None:
    """Have the browser forget a cookie, also one that it has had since before there was a prefix."""
    for named in (name, f"{PREFIX}{name}"):
        answer.delete_cookie(named, samesite="Lax")


def without_prefix(cookies: str) -> str:
    """Return a request's cookies with the plain names of this site's own.

    One with the prefix goes before one without, which is from an earlier version or from another host of the domain.
    """
    pairs = [pair.strip() for pair in cookies.split(";")]
    ours = {f"{PREFIX}{name}": name for name in OURS}
    sure = {ours[name] for pair in pairs if (name := _name(pair)) in ours}
    return "; ".join(
        pair.removeprefix(PREFIX) if _name(pair) in ours else pair for pair in pairs if _name(pair) not in sure
    )


def _name(pair: str) -> str:
    return pair.partition("=")[0].strip()
