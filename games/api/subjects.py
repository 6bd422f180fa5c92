"""What operations are about, in the order in which the reference has them: the tags of the description."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

SUBJECTS: Mapping[str, Any] = {
    "uploads": _("Send games, follow their verification, and read the results."),
    "files": _("Send a file in pieces (tus): an interrupted upload resumes."),
    "games": _("Find games, read their records and positions, confirm them, comment on them."),
    "positions": _("What may be played next in a record that is being written."),
    "setups": _("Lay out the board of a game that is played at a real table."),
    "openings": _("How games that began alike went on and ended."),
    "players": _("Find players, and read their ratings, results and rivals."),
    "leaderboards": _("Rankings now, on a past day or over a period, and the games behind them."),
    "claims": _("Decide which account a player’s name belongs to."),
    "invitations": _("Links with which players claim their names and confirm their games."),
    "holds": _("Decide about games that wait before they are rated."),
    "tables": _("Open a table, sit down and play, as a person or as a bot."),
    "clubs": _("Clubs with their members, evenings, seasons and ladders."),
    "joins": _("What a club’s link opens."),
    "studies": _("Write, read and follow studies with variations."),
    "collections": _("Keep games together, for yourself or for others."),
    "comments": _("Read, change, delete and report comments on games."),
    "moderation": _("Read what waits for moderators, and decide as one."),
    "account": _("What belongs to the account whose token you send."),
    "dumps": _("Files with all public games of a month."),
    "oembed": _("Show a game on another site."),
}


def say_subjects(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Add to the description what its subjects are, in their order."""
    return result | {"tags": [{"name": name, "description": str(said)} for name, said in SUBJECTS.items()]}
