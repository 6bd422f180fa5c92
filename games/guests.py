"""Guests: people without an account are recognised by a token in a cookie or a header."""

from django.http import HttpRequest, HttpResponseBase

from games import cookies
from games.playing.reads.people import NOBODY, Person, guest_of, new_guest_token

HEADER = "Guest-Token"
_LONGEST = 128


def person_of(request: HttpRequest) -> Person:
    """Return who sends a request: an account, a guest, or nobody known yet."""
    guest = guest_of_request(request)
    if request.user.is_authenticated:
        return Person(account=request.user, earlier=guest)
    return Person(guest=guest) if guest else NOBODY


def guest_of_request(request: HttpRequest) -> str:
    """Return the digest of the guest's token that a request has; empty without one."""
    kept = cookies.named(cookies.GUEST, secure=request.is_secure())
    token = request.headers.get(HEADER) or request.COOKIES.get(kept, "")
    return guest_of(token) if 0 < len(token) <= _LONGEST else ""


def somebody(request: HttpRequest) -> tuple[Person, str]:
    """Return who sends a request, and the token if it is a new guest."""
    person = person_of(request)
    if person.is_somebody:
        return person, ""
    token = new_guest_token()
    return Person(guest=guest_of(token)), token


def keep_guest(answer: HttpResponseBase, token: str, *, secure: bool) -> None:
    """Give a new guest the token. Other sites' forms do not send it, so it needs no CSRF token of its own."""
    if token:
        cookies.keep(answer, cookies.GUEST, token, secure=secure, httponly=True)


def forget_guest(answer: HttpResponseBase) -> None:
    """Have the browser forget the guest, when somebody signs out: the next person at it may be another."""
    cookies.forget(answer, cookies.GUEST)
