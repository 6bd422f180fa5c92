"""Comments on games: reading them, and writing those of the account."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from games.client.films import game_key
from games.client.following import Json
from games.client.site import Site


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a game."""

    id: int
    author: str
    ply: int | None
    """After how many actions is the position that it is about; none where it is about the game."""
    text: str
    """Markdown, as it was written."""
    html: str
    version: int
    written_at: datetime
    changed_at: datetime | None


class Comments:
    """The comments on games."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on(self, game: str) -> Iterator[Comment]:
        """Yield the comments on a game, given by its key or the address of its page, newest first."""
        before = ""
        while True:
            page: Json = self._site.ask("GET", f"{_path(game)}{before}").json
            yield from map(_comment, page["comments"])
            if not page["older"]:
                return
            before = f"?before={quote(page['older'], safe='')}"

    def write(self, game: str, text: str, *, ply: int | None = None) -> Comment:
        """Write a comment on a game, or on the position after `ply` actions. :raises ClientError: when refused."""
        return _comment(self._site.ask_json("POST", _path(game), {"text": text, "ply": ply}).json)

    def change(self, comment: Comment, text: str) -> Comment:
        """Change a comment of the account's, within ten minutes. :raises ClientError: when refused."""
        body = {"text": text, "version": comment.version}
        return _comment(self._site.ask_json("PUT", f"/api/v1/comments/{comment.id}", body).json)

    def delete(self, comment: Comment) -> None:
        """Delete a comment of the account's."""
        self._site.ask("DELETE", f"/api/v1/comments/{comment.id}")

    def report(self, comment: Comment, reason: str) -> None:
        """Report a comment to the moderators."""
        self._site.ask_json("POST", f"/api/v1/comments/{comment.id}/report", {"reason": reason})


def _path(game: str) -> str:
    return f"/api/v1/games/{quote(game_key(game))}/comments"


def _comment(found: Json) -> Comment:
    plain = ("id", "author", "ply", "text", "html", "version")
    changed_at = found["changed_at"]
    return Comment(
        written_at=datetime.fromisoformat(found["written_at"]),
        changed_at=datetime.fromisoformat(changed_at) if changed_at else None,
        **{name: found[name] for name in plain},
    )
