"""What waits for moderators, and their decisions about what was reported. The account must be a moderator's."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from urllib.parse import quote

from games.client.following import Json
from games.client.site import Site

Kind = Literal["comments", "studies", "collections"]
_PATH = "/api/v1/moderation"


@dataclass(frozen=True, slots=True)
class Report:
    """Why an account reported something."""

    by: str
    reason: str
    raised_at: datetime


@dataclass(frozen=True, slots=True)
class Reported:
    """A comment, a study or a collection that was reported."""

    kind: Kind
    id: str
    """A comment's number, or the key of a study or a collection."""
    author: str
    text: str
    """The comment as Markdown, or the title of the study, or the name of the collection."""
    page: str
    """Where readers find it."""
    version: str
    """What a decision is about."""
    hidden_for: str
    """Why it is hidden; empty if it is not."""
    reports: tuple[Report, ...]
    """The open ones, longest waiting first."""


class Moderation:
    """What waits for an account that moderates."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def waiting(self) -> dict[str, int]:
        """Return how many cases of each kind wait. :raises ClientError: when the account is no moderator's."""
        found: dict[str, int] = self._site.ask("GET", _PATH).json
        return found

    def reported(self, kind: Kind) -> Iterator[Reported]:
        """Yield what was reported, longest waiting first; nothing that the account wrote or reported itself."""
        start = 0
        while page := self._site.ask("GET", f"{_PATH}/{kind}?start={start}").json:
            yield from (_reported(kind, one) for one in page)
            start += len(page)

    def hide(self, reported: Reported, reason: str) -> Reported:
        """Hide something from everybody but its author, in any version. :raises ClientError: when refused."""
        return self._decide(reported, reason, hide=True)

    def show(self, reported: Reported, reason: str) -> Reported:
        """Keep something, or show it again. :raises ClientError: when refused, or when it was changed since."""
        return self._decide(reported, reason, hide=False)

    def _decide(self, reported: Reported, reason: str, *, hide: bool) -> Reported:
        path = f"{_PATH}/{reported.kind}/{quote(reported.id)}/decision"
        body = {"hide": hide, "reason": reason, "version": reported.version}
        return _reported(reported.kind, self._site.ask_json("POST", path, body).json)


_ABOUT: dict[Kind, tuple[str, str]] = {
    "comments": ("id", "text"),
    "studies": ("key", "title"),
    "collections": ("key", "name"),
}
"""The fields that name a thing of a kind, and what it says."""


def _reported(kind: Kind, found: Json) -> Reported:
    named, text = _ABOUT[kind]
    reports = tuple(
        Report(one["by"], one["reason"], datetime.fromisoformat(one["raised_at"])) for one in found["reports"]
    )
    plain = {name: found[name] for name in ("author", "page", "version", "hidden_for")}
    return Reported(kind=kind, id=str(found[named]), text=found[text], reports=reports, **plain)
