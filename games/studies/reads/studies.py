"""Reading studies: which of them a viewer may see, the public list, and their chapters."""

import json
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from engine.registry import RULESETS
from engine.studying import PlayedTree, Tree, play_checked, tree_from_json
from games.models import Study, StudyChapter, StudyFollow, StudyReport
from games.models.folding import Folded, has_part
from games.platform.kept import Kept
from games.platform.roles import is_moderator
from games.records.reads.visibility import Viewer, games_for

LISTED = Q(visibility=Study.Visibility.PUBLIC, hidden_at=None)
_kept = Kept[str, PlayedTree](10_000, lambda played: len(played.states))
"""Chapters that a process keeps played, with so many positions: a reader steps through one for a while."""


@dataclass(frozen=True, slots=True)
class StudyFilter:
    """A filter for public studies; empty fields do not filter."""

    title: str = ""
    """Part of the title, of the study or of a chapter."""
    game: str = ""
    """A game's name, or a ruleset."""
    author: str = ""
    """Part of the name of the account that wrote it."""


def studies_for(viewer: Viewer) -> Q:
    """Return which studies a viewer may read: their own, and of others those that are not private and not hidden.

    Moderators also read hidden ones, and private ones that were reported before.
    """
    shared = ~Q(visibility=Study.Visibility.PRIVATE)
    if not viewer.is_authenticated:
        return shared & Q(hidden_at=None)
    if is_moderator(viewer):
        return (
            shared | Q(owner=viewer.pk) | Q(Exists(StudyReport.objects.filter(study=OuterRef("pk"), settled_at=None)))
        )
    return (shared & Q(hidden_at=None)) | Q(owner=viewer.pk)


def find_study(key: str, viewer: Viewer) -> Study:
    """Find a study. :raises Study.DoesNotExist: when the viewer may read none with this key."""
    return Study.objects.filter(studies_for(viewer)).select_related("owner").get(key=key)


def list_studies(wanted: StudyFilter, viewer: Viewer) -> "QuerySet[Study]":
    """Return the public studies that match a filter, last changed first; what the viewer may not see finds none."""
    found = Study.objects.filter(LISTED)
    seen = StudyChapter.objects.filter(_chapters_for(viewer), study=OuterRef("pk"))
    if wanted.title:
        found = found.filter(
            Q(has_part(Folded("title"), wanted.title)) | Q(Exists(seen.filter(has_part(Folded("title"), wanted.title))))
        )
    if wanted.game:
        found = found.filter(Exists(seen.filter(ruleset__in=_slugs(wanted.game))))
    if wanted.author:
        found = found.filter(has_part(Folded("owner__username"), wanted.author))
    return _newest(found)


def own_studies(viewer: Viewer) -> "QuerySet[Study]":
    """Return an account's own studies, last changed first."""
    return _newest(Study.objects.filter(owner=viewer.pk))


def studies_followed(viewer: Viewer) -> "QuerySet[Study]":
    """Return the studies that an account follows and may still read, last changed first."""
    followed = StudyFollow.objects.filter(account=viewer.pk, study=OuterRef("pk"))
    return _newest(Study.objects.filter(studies_for(viewer)).filter(Exists(followed)))


def is_followed(study: Study, viewer: Viewer) -> bool:
    """Return whether an account follows a study."""
    return viewer.is_authenticated and StudyFollow.objects.filter(account=viewer.pk, study=study).exists()


def _newest(studies: "QuerySet[Study]") -> "QuerySet[Study]":
    return studies.select_related("owner").order_by("-changed_at", "-pk")


def _slugs(game: str) -> list[str]:
    return [one.slug for one in RULESETS if game.casefold() in (one.game.casefold(), one.slug)]


def _chapters_for(viewer: Viewer) -> Q:
    """Return which chapters a viewer may see: all but those about games that they may not see."""
    return Q(game=None) | games_for(viewer, "game__")


def chapters_of(study: Study, viewer: Viewer) -> "QuerySet[StudyChapter]":
    """Return the chapters of a study that a viewer may see, in order."""
    seen = StudyChapter.objects.filter(_chapters_for(viewer), study=study)
    return seen.select_related("game").prefetch_related("game__seatings__player").order_by("place", "number")


def find_chapter(study: Study, number: int, viewer: Viewer) -> StudyChapter:
    """Find a chapter of a study. :raises StudyChapter.DoesNotExist: when the viewer may see none with the number."""
    return chapters_of(study, viewer).get(number=number)


def origin_of(study: Study, viewer: Viewer) -> Study | None:
    """Return the study that another was forked from, if the viewer may read it."""
    return Study.objects.filter(studies_for(viewer), forks=study).select_related("owner").first()


def hidden_origin(study: Study) -> Study | None:
    """Return the study that a moderator hides among those that this one was copied from, one from another."""
    seen, origin = {study.pk}, study.forked_from
    while origin and origin.pk not in seen:
        if origin.hidden_at:
            return origin
        seen.add(origin.pk)
        origin = origin.forked_from
    return None


def tree_of(chapter: StudyChapter) -> Tree:
    """Return what a chapter holds."""
    return tree_from_json(json.loads(chapter.tree))


def played_chapter(chapter: StudyChapter) -> PlayedTree:
    """Return a chapter with all its positions."""
    return _kept.of(chapter.tree, lambda: play_checked(tree_of(chapter)))


def names_of(chapter: StudyChapter) -> dict[str, str]:
    """Return the names of the players of a chapter's game, by seat letter; empty for a chapter without a game."""
    game = chapter.game
    return {seating.letter: seating.player.name for seating in game.seatings.all()} if game else {}
