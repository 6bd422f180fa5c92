"""Labels used on several pages, marked for translation."""

from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.dealing import BROKEN, PROVED, SEALED
from games.models import By, Claim, Correction, DayRating, Dispute, MoveLog, RatingEvent, TableAlarm, Upload, Verdict

Label = str | Promise
"""A text, perhaps one that is translated only when it is shown."""


_WHOLE = 0.95
"""From here on a change is told in whole points."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A record's state, as a symbol and a word."""

    kind: str
    """Names the mark and the colour."""
    word: Label


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a number."""

    points: float

    @property
    def words(self) -> str:
        """Return the number with its sign: in whole points, or in tenths where it is less than one, never as none."""
        most = abs(self.points)
        size = f"{most:.0f}" if most >= _WHOLE else number_format(max(most, 0.1), decimal_pos=1)
        return f"+{size}" if self.points > 0 else f"−{size}" if self.points else "±0"


@dataclass(frozen=True, slots=True)
class Strength:
    """The estimate of a player's strength after a game: its mean, its uncertainty, and how the mean changed."""

    before: int
    after: int
    uncertainty: int
    change: Change


def strength_after(event: RatingEvent | DayRating) -> Strength:
    """Return the strength that a game left. Unlike the rating, it is never cut at 0: who wins always gains."""
    return Strength(round(event.mu_before), round(event.mu), round(event.sigma), Change(event.mu - event.mu_before))


STAMPS = {
    kind: Stamp(kind, word)
    for kind, word in (
        ("verified", _("verified")),
        ("unfinished", _("unfinished")),
        ("rejected", _("rejected")),
        ("waiting", _("waiting")),
        ("running", _("being verified")),
        ("quarantined", _("set aside")),
        ("held", _("paused")),
        ("cancelled", _("cancelled")),
    )
}

PLACES: dict[int, Label] = {
    1: pgettext_lazy("place", "1st"),
    2: pgettext_lazy("place", "2nd"),
    3: pgettext_lazy("place", "3rd"),
    4: pgettext_lazy("place", "4th"),
}

ORDERS: dict[By, Label] = {
    By.ACCEPTED: _("By order of acceptance"),
    By.PLAYED: _("By day played"),
}

TURNS: dict[int, Label] = {
    1: _("acts first"),
    2: _("acts second"),
    3: _("acts third"),
    4: _("acts fourth"),
}

DEALINGS: dict[str, Label] = {
    SEALED: _("Sealed until the game is over"),
    PROVED: _("Follows from the secret and the players’ texts"),
    BROKEN: _("Does not follow from the secret and the players’ texts"),
}

VIAS: dict[str, Label] = {
    Upload.Via.WEB: _("on this site"),
    Upload.Via.API: _("by a program"),
    Upload.Via.COMMAND: _("on the server"),
    Upload.Via.PLAYED: _("played here"),
}

CORRECTIONS: dict[str, Label] = {
    Correction.Kind.ANNULMENT: _("Annulment"),
    Correction.Kind.RESTORATION: _("Restoration"),
    Correction.Kind.MERGE: _("Merge"),
    Correction.Kind.SPLIT: _("Split"),
}

CAUSES: dict[str, Label] = {
    Correction.Kind.ANNULMENT: _("a game was annulled"),
    Correction.Kind.RESTORATION: _("an annulled game is rated again"),
    Correction.Kind.MERGE: _("two players were found to be the same person"),
    Correction.Kind.SPLIT: _("a merged player was split again"),
}
"""Why a correction changed a rating."""

DISPUTES: dict[str, Label] = {
    Dispute.State.OPEN: _("open"),
    Dispute.State.UPHELD: _("upheld"),
    Dispute.State.DISMISSED: _("dismissed"),
    Dispute.State.WITHDRAWN: _("withdrawn"),
}

CLAIMS: dict[str, Label] = {
    Claim.State.OPEN: _("to be decided"),
    Claim.State.APPROVED: _("approved"),
    Claim.State.REFUSED: _("refused"),
    Claim.State.WITHDRAWN: _("withdrawn"),
    Claim.State.REVOKED: _("revoked"),
}

ALARMS: dict[str, Label] = {
    TableAlarm.Kind.NOT_VERIFIED: _("The record was not verified"),
    TableAlarm.Kind.DEALING_BROKEN: _("The deal does not follow from the secret"),
    TableAlarm.Kind.OTHER_RESULT: _("The record ends with another result"),
    TableAlarm.Kind.ALTERED: _("The stored actions were altered"),
    TableAlarm.Kind.OTHER_PLAYERS: _("The same moves were uploaded with other players"),
}

COLOURS: dict[str, Label] = {
    "red": _("Red"),
    "yellow": _("Yellow"),
    "orange": _("Orange"),
    "brown": _("Brown"),
    "black": _("Black"),
}


def stamp_of(log: MoveLog, verdict: Verdict | None) -> Stamp:
    """Return a log's verdict, or its place in the queue."""
    judged = log.state in (MoveLog.State.JUDGED, MoveLog.State.DRY_RUN) and verdict is not None
    return STAMPS[verdict.verdict if judged and verdict else log.state]
