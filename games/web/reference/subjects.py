"""What operations are about, in the order in which the reference has them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Said(NamedTuple):
    """What the reference says about a subject."""

    title: Any
    sentence: Any


SUBJECTS: Mapping[str, Said] = {
    "uploads": Said(_("Uploads"), _("Send games, follow their verification, and read the results.")),
    "files": Said(_("Large files"), _("Send a file in pieces (tus): an interrupted upload resumes.")),
    "games": Said(_("Games"), _("Find games, read their records and positions, confirm them, comment on them.")),
    "positions": Said(_("Positions"), _("What may be played next in a record that is being written.")),
    "setups": Said(_("Setups"), _("Lay out the board of a game that is played at a real table.")),
    "openings": Said(_("Openings"), _("How games that began alike went on and ended.")),
    "players": Said(_("Players"), _("Find players, and read their ratings, results and rivals.")),
    "leaderboards": Said(
        _("Leaderboards"), _("Rankings now, on a past day or over a period, and the games behind them.")
    ),
    "claims": Said(_("Claims"), _("Decide which account a player’s name belongs to.")),
    "invitations": Said(_("Invitations"), _("Links with which players claim their names and confirm their games.")),
    "holds": Said(_("Games on hold"), _("Decide about games that wait before they are rated.")),
    "tables": Said(_("Tables"), _("Open a table, sit down and play, as a person or as a bot.")),
    "clubs": Said(_("Clubs"), _("Clubs with their members, evenings, seasons and ladders.")),
    "joins": Said(_("Joining a club"), _("What a club’s link opens.")),
    "studies": Said(_("Studies"), _("Write, read and follow studies with variations.")),
    "collections": Said(_("Collections"), _("Keep games together, for yourself or for others.")),
    "comments": Said(_("Comments"), _("Read, change, delete and report comments on games.")),
    "moderation": Said(_("Moderation"), _("Read what waits for moderators, and decide as one.")),
    "account": Said(_("Account"), _("What belongs to the account whose token you send.")),
    "dumps": Said(_("Dumps"), _("Files with all public games of a month.")),
    "oembed": Said(pgettext_lazy("on other sites", "Embedding"), _("Show a game on another site.")),
}
