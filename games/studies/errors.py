"""Why something cannot be done with a study."""

from engine.words import marked
from games.models import StudyChapter
from games.platform.errors import RefusedError

_CHANGED = marked("This was changed in another tab or program. Nothing was overwritten.")


class StudyRefusedError(RefusedError):
    """Why something cannot be done with a study; nothing has changed."""


class ChangedMeanwhileError(StudyRefusedError):
    """A change was made to an earlier version; `current` is the chapter as it is now, or none for the study itself."""

    def __init__(self, current: StudyChapter | None) -> None:
        super().__init__("changed_meanwhile", _CHANGED)
        self.current = current
