"""Studies as files: AGN with variations, and JSON."""

import json
from collections.abc import Iterator
from typing import Any

from engine.studying import FORMAT, chapter_json, write
from games.models import Study, StudyChapter
from games.records.reads.visibility import Viewer
from games.studies.reads.studies import chapters_of, names_of, played_chapter, tree_of


def study_as_text(study: Study, viewer: Viewer) -> str:
    """Return the chapters that a viewer may see as AGN with variations, which records cannot have."""
    return "\n".join(_text(study, chapter) for chapter in chapters_of(study, viewer))


def _text(study: Study, chapter: StudyChapter) -> str:
    more = {"Study": study.title, **({"Chapter": chapter.title} if chapter.title else {})}
    return write(played_chapter(chapter), names_of(chapter), more)


def study_as_json(study: Study, viewer: Viewer) -> dict[str, Any]:
    """Return the same as JSON, without names; a chapter about a game has its key."""
    return {"format": FORMAT, "title": study.title, "chapters": list(_chapters(study, viewer))}


def _chapters(study: Study, viewer: Viewer) -> Iterator[dict[str, Any]]:
    for chapter in chapters_of(study, viewer):
        about = {"game": chapter.game.key} if chapter.game else {}
        yield {**chapter_json(chapter.title, tree_of(chapter)), **about}


def as_stored(tree: dict[str, Any]) -> str:
    """Return a tree as it is stored."""
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))
