"""Studies as files: AGN with variations, and JSON."""

import json
from collections.abc import Iterator

from engine.studying import FORMAT, chapter_json, play_checked, write
from games.models import Study, StudyChapter
from games.records.reads.visibility import Viewer
from games.studies.reads.studies import chapters_of, names_of, tree_of


def study_as_text(study: Study, viewer: Viewer) -> Iterator[str]:
    """Yield the chapters that a viewer may see as AGN with variations, which records cannot have."""
    for at, chapter in enumerate(_one_by_one(study, viewer)):
        yield ("\n" if at else "") + _text(study, chapter)


def _text(study: Study, chapter: StudyChapter) -> str:
    more = {"Study": study.title, **({"Chapter": chapter.title} if chapter.title else {})}
    return write(play_checked(tree_of(chapter)), names_of(chapter), more)


def study_as_json(study: Study, viewer: Viewer) -> Iterator[str]:
    """Yield the same as JSON, without names; a chapter about a game has its key."""
    yield f'{{"format":{as_stored(FORMAT)},"title":{as_stored(study.title)},"chapters":['
    for at, chapter in enumerate(_one_by_one(study, viewer)):
        about = {"game": chapter.game.key} if chapter.game else {}
        yield ("," if at else "") + as_stored({**chapter_json(chapter.title, tree_of(chapter)), **about})
    yield "]}"


def _one_by_one(study: Study, viewer: Viewer) -> Iterator[StudyChapter]:
    """Yield the chapters that a viewer may see, each read when the one before was written."""
    chapters = chapters_of(study, viewer)
    for number in list(chapters.values_list("number", flat=True)):
        yield from chapters.filter(number=number)


def as_stored(value: object) -> str:
    """Return a tree, or a part of one, as it is stored."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
