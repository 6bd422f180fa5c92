"""Verdicts on a file while it is being split: if nearly all its records are rejected, the rest is not read."""

from collections import Counter
from uuid import UUID

from engine.words import words
from games.models import VerdictCount
from games.uploads.unpacking.errors import UnpackError

MOST = 5_000
"""Records that may be rejected while almost none is not."""
EACH = 20
"""How many more may be rejected for each that is verified or unfinished."""


class Rejections:
    """Counts the records of an upload rejected since better ones were found."""

    def __init__(self, upload: UUID) -> None:
        self._upload = upload
        self._before = self._count()
        self._rejected = 0

    def look(self) -> None:
        """Look at the verdicts since the last time. :raises UnpackError: when too many records were rejected."""
        now = self._count()
        more, self._before = now - self._before, now
        good = more[VerdictCount.Kind.VERIFIED] + more[VerdictCount.Kind.UNFINISHED]
        self._rejected = max(0, self._rejected + more[VerdictCount.Kind.REJECTED] - EACH * good)
        if self._rejected > MOST:
            raise UnpackError(
                "almost_no_games",
                words("More than {most} records of this file were rejected and almost none verified, so the rest was "
                      "not read.", most=MOST),
            )  # fmt: skip

    def _count(self) -> Counter[str]:
        found = Counter[str]()
        for verdict, games in VerdictCount.objects.filter(upload=self._upload).values_list("verdict", "games"):
            found[verdict] += games
        return found
