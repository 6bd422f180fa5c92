"""Writing studies: their titles, who reads them, and their chapters. Every variation is played before it is stored."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.db.models import F, Func, IntegerField, Max, QuerySet, Sum

from engine.agn.names import name_key
from engine.registry import find_ruleset
from engine.studying import (
    MOST_TITLE,
    Branch,
    Tree,
    chapter_of_game,
    check_all_actions,
    play,
    tree_json,
    without_controls,
)
from engine.words import marked
from games.models import Game, Study, StudyChapter
from games.platform.reports import shows_nothing
from games.records.reads import replays
from games.studies.errors import ChangedMeanwhileError, StudyRefusedError
from games.studies.reads.files import as_stored
from games.studies.reads.studies import chapters_of, hidden_origin, tree_of

_FORK_OF_HIDDEN = marked("A moderator has hidden the study that this is a copy of: only you can read it.")
MOST_STUDIES = 200
"""Of an account."""
MOST_CHAPTERS = 64
"""Of a study."""
MOST_HELD = 1024**2
"""Characters of all chapters of a study, as JSON: a reader gets them as one file."""
MOST_STORED = 16 * 1024**2
"""Bytes of all studies of an account, compressed as they are stored."""


@dataclass(frozen=True, slots=True)
class NewChapter:
    """A chapter to be added."""

    title: str
    tree: Tree
    game: Game | None = None
    """The game that it is about."""
    checked: bool = False
    """Whether its variations were played before: nothing is played twice."""


@dataclass(frozen=True, slots=True)
class About:
    """What a study says about itself."""

    title: str
    visibility: str = Study.Visibility.PRIVATE


def chapter_about(game: Game, title: str, branches: Sequence[Branch], by: AbstractBaseUser) -> NewChapter:
    """Return a chapter about a game that an account sees, with branches as variations.

    :raises StudyRefusedError: when nothing of the game was legal.
    :raises StudyError: when there are too many actions.
    """
    played = replays.replay_of(replays.first_log(game, by)).replay
    if played is None:
        raise StudyRefusedError("nothing_played", "This game cannot be shown on a board.")
    return NewChapter(title, chapter_of_game(played, branches), game)


@transaction.atomic
def create(
    about: About,
    chapters: Iterable[NewChapter],
    *,
    by: AbstractBaseUser,
    now: datetime,
    forked_from: Study | None = None,
) -> Study:
    """Create a study.

    :raises StudyRefusedError: when its title is empty, the account or the study has too many of something, or there is
        no chapter.
    :raises StudyError: when a variation is not legal.
    """
    get_user_model().objects.select_for_update(no_key=True).get(pk=by.pk)  # one at a time, for the limit
    if Study.objects.filter(owner=by.pk).count() >= MOST_STUDIES:
        raise StudyRefusedError("too_many_studies", "An account can have at most {most} studies.", most=MOST_STUDIES)
    study = Study.objects.create(
        owner_id=by.pk, title=_title(about.title), visibility=_visibility(about), made_at=now, changed_at=now,
        forked_from=forked_from,
    )  # fmt: skip
    _add_all(study, chapters, now)
    return study


@transaction.atomic
def describe(study: Study, about: About, version: int, *, by: AbstractBaseUser, now: datetime) -> Study:
    """Change a study's title and who reads it.

    :raises ChangedMeanwhileError: when it has another version by now.
    :raises StudyRefusedError: when others shall read a copy of a study that a moderator hides.
    """
    held = _own(study, by)
    if held.version != version:
        raise ChangedMeanwhileError(None)
    title, visibility = _title(about.title), _visibility(about)
    if visibility != Study.Visibility.PRIVATE and hidden_origin(held):
        raise _in("visibility", StudyRefusedError("fork_of_hidden", _FORK_OF_HIDDEN))
    held.title, held.visibility = title, visibility
    held.version, held.changed_at = held.version + 1, now
    held.save(update_fields=["title", "visibility", "version", "changed_at"])
    return held


def delete(study: Study, *, by: AbstractBaseUser) -> None:
    """Delete a study with everything in it; forks stay, and those of a hidden one stay private."""
    with transaction.atomic():
        held = _own(study, by)
        if hidden := held if held.hidden_at else hidden_origin(held):
            private = held.forks.filter(visibility=Study.Visibility.PRIVATE)
            private.update(hidden_at=hidden.hidden_at, hidden_for=hidden.hidden_for)
        held.delete()


@transaction.atomic
def add_chapters(
    study: Study, chapters: Iterable[NewChapter], *, by: AbstractBaseUser, now: datetime
) -> list[StudyChapter]:
    """Add chapters at the end, all of them or none.

    :raises StudyRefusedError: when there are too many, or none.
    :raises StudyError: when a variation is not legal.
    """
    held = _own(study, by)
    _changed(held, now)
    return _add_all(held, chapters, now)


@transaction.atomic
def save_chapter(
    chapter: StudyChapter, title: str, tree: Tree, version: int, *, by: AbstractBaseUser, now: datetime
) -> StudyChapter:
    """Store a chapter's new tree; how its game begins stays.

    :raises ChangedMeanwhileError: when it has another version by now.
    :raises StudyRefusedError: when it grows, and the study or the account has no more room.
    :raises StudyError: when a variation is not legal.
    """
    study = _own(chapter.study, by)
    held = StudyChapter.objects.select_related("game").filter(pk=chapter.pk).first()
    if held is None:
        raise _no_chapter()
    if held.version != version:
        raise ChangedMeanwhileError(held)
    kept = Tree(tree_of(held).tags, tree.nodes, tree.comment, tree.marks)
    check_all_actions(_actions(study.chapters.exclude(pk=held.pk)) + len(kept.nodes))
    play(kept)
    before, after = held.tree, as_stored(tree_json(kept))
    held.title, held.tree = _chapter_title(title), after
    held.version, held.changed_at = held.version + 1, now
    held.save(update_fields=["title", "tree", "version", "changed_at"])
    if len(after) > len(before):
        _check_room(study)
    Study.objects.filter(pk=study.pk).update(changed_at=now)
    return held


@transaction.atomic
def remove_chapter(chapter: StudyChapter, *, by: AbstractBaseUser, now: datetime) -> None:
    """Remove a chapter. :raises StudyRefusedError: when it is the last one."""
    study = _own(chapter.study, by)
    if study.chapters.count() == 1:
        raise StudyRefusedError("last_chapter", "A study needs at least one chapter. Delete the whole study instead.")
    chapter.delete()
    _changed(study, now)


@transaction.atomic
def move_chapter(chapter: StudyChapter, way: int, *, by: AbstractBaseUser, now: datetime) -> None:
    """Move a chapter one place up (-1) or down (1) in the list."""
    study = _own(chapter.study, by)
    order = list(study.chapters.order_by("place", "number"))
    at = next((at for at, one in enumerate(order) if one.pk == chapter.pk), None)
    if at is None:
        raise _no_chapter()
    to = min(max(at + way, 0), len(order) - 1)
    order.insert(to, order.pop(at))
    for place, one in enumerate(order, 1):
        StudyChapter.objects.filter(pk=one.pk).update(place=place)
    _changed(study, now)


@transaction.atomic
def fork(study: Study, *, by: AbstractBaseUser, now: datetime) -> Study:
    """Copy a study, as far as an account sees it, into a private one of its own.

    :raises StudyRefusedError: when the account sees no chapter of it, or has too many studies.
    """
    copies = (NewChapter(one.title, tree_of(one), one.game, checked=True) for one in chapters_of(study, by))
    return create(About(study.title), copies, by=by, now=now, forked_from=study)


def _own(study: Study, by: AbstractBaseUser) -> Study:
    """Return a study, locked. :raises StudyRefusedError: when it belongs to somebody else, or is gone."""
    held = Study.objects.select_for_update(no_key=True).filter(pk=study.pk).first()
    if held is None:
        raise StudyRefusedError("no_study", "This study no longer exists.")
    if held.owner_id != by.pk:
        raise StudyRefusedError("not_owner", "Only the account that wrote a study can change it.")
    return held


def _changed(study: Study, now: datetime) -> None:
    Study.objects.filter(pk=study.pk).update(changed_at=now, version=F("version") + 1)


def _add_all(study: Study, chapters: Iterable[NewChapter], now: datetime) -> list[StudyChapter]:
    count, added = _actions(study.chapters.all()), list[StudyChapter]()
    for chapter in chapters:
        count += len(chapter.tree.nodes)
        check_all_actions(count)
        added.append(_add(study, chapter, now))
    if not added:
        raise StudyRefusedError("no_chapters", "There is no chapter to add.")
    _check_room(study)
    return added


def _check_room(study: Study) -> None:
    """Check what is held. :raises StudyRefusedError: when the study, or all of the account, is too large."""
    if sum(map(len, study.chapters.values_list("tree", flat=True))) > MOST_HELD:
        said = marked("A study can hold at most {most} KiB, comments included. Begin another study.")
        raise StudyRefusedError("too_large", said, most=MOST_HELD >> 10)
    stored = Sum(Func("chapters__tree", function="octet_length", output_field=IntegerField()))
    if (Study.objects.filter(owner=study.owner_id).aggregate(all=stored)["all"] or 0) > MOST_STORED:
        said = marked("Your studies can take up at most {most} MiB in all. Delete some that you no longer need.")
        raise StudyRefusedError("too_large", said, most=MOST_STORED >> 20)


def _actions(chapters: "QuerySet[StudyChapter]") -> int:
    """Return how many actions some chapters have together."""
    return sum(len(tree_of(chapter).nodes) for chapter in chapters.only("tree").iterator(chunk_size=4))


def _add(study: Study, chapter: NewChapter, now: datetime) -> StudyChapter:
    most: dict[str, Any] = study.chapters.aggregate(number=Max("number"), place=Max("place"))
    if study.chapters.count() >= MOST_CHAPTERS:
        raise StudyRefusedError("too_many_chapters", "A study can have at most {most} chapters.", most=MOST_CHAPTERS)
    if not chapter.checked:
        play(chapter.tree)
    return StudyChapter.objects.create(
        study=study,
        number=(most["number"] or 0) + 1,
        place=(most["place"] or 0) + 1,
        title=_chapter_title(chapter.title),
        ruleset=find_ruleset(chapter.tree.tags).slug,
        game=chapter.game,
        tree=as_stored(tree_json(chapter.tree)),
        changed_at=now,
    )


def _title(text: str) -> str:
    title = _chapter_title(text)
    if shows_nothing(title):
        raise _in("title", StudyRefusedError("no_title", "Enter a title."))
    return title


def _chapter_title(text: str) -> str:
    title = name_key(without_controls(text))
    if len(title) > MOST_TITLE:
        raise _in(
            "title", StudyRefusedError("long_title", "A title can have at most {most} characters.", most=MOST_TITLE)
        )
    return title


def _visibility(about: About) -> str:
    if about.visibility not in Study.Visibility.values:
        raise _in("visibility", StudyRefusedError("no_visibility", "Choose public, unlisted or private."))
    return about.visibility


def _no_chapter() -> StudyRefusedError:
    return StudyRefusedError("no_chapter", "This chapter no longer exists.")


def _in(parameter: str, error: StudyRefusedError) -> StudyRefusedError:
    error.parameter = parameter
    return error
