"""What the pages of studies show."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import QueryDict
from django.urls import reverse

from engine.agn.canonical import format_tags
from engine.studying import COLOURS, MOST_COMMENT, PlayedTree, draw
from engine.studying.drawing import distance
from engine.studying.playing import cells
from engine.studying.values import ROOT, Mark
from games.models import Study, StudyChapter
from games.platform.roles import is_moderator
from games.records.reads.titles import ruleset_title
from games.records.reads.visibility import Viewer
from games.sentences import translated
from games.studies.reads.studies import chapters_of, is_followed, names_of, origin_of, played_chapter
from games.web.boards import Drawn, drawn
from games.web.links import Link
from games.web.studies.tree import Item, items_of


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study in a list."""

    title: str
    url: str
    author: str
    visibility: str
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Steps:
    """Where the reader can go from a position; nothing where there is no such position."""

    first: int | None
    previous: int | None
    next: int | None
    last: int | None
    earlier: int | None
    """The variation before this one, and the one after it."""
    later: int | None


@dataclass(frozen=True, slots=True)
class ChapterLink:
    """A chapter in the list."""

    number: int
    title: str
    current: bool


@dataclass(frozen=True, slots=True)
class ChapterShown:
    """A chapter at one position."""

    number: int
    version: int
    title: str
    ruleset: str
    game: Link | None
    players: tuple[str, ...]
    node: int
    token: str
    board: Drawn
    caption: str
    picture: str
    comment: str
    """About the position that is shown."""
    opening: str
    """About the first one."""
    marks: tuple[Mark, ...]
    items: tuple[Item, ...]
    steps: Steps
    may_promote: bool
    marking: dict[str, Any]
    """The cells that can be marked: where each is on the board, and the smallest distance between two."""
    record: str
    """The record up to the position, as `/api/v1/positions` reads it."""


@dataclass(frozen=True, slots=True)
class StudyPage:
    """A study, open at one of its chapters."""

    key: str
    title: str
    url: str
    author: str
    visibility: str
    version: int
    changed_at: datetime
    read_version: str
    """What a moderator who reads it names in a decision."""
    origin: Link | None
    hidden_for: str
    is_hidden: bool
    is_own: bool
    moderates: bool
    follows: bool
    chapters: tuple[ChapterLink, ...]
    chapter: ChapterShown | None
    """None where the reader may see no chapter."""
    act: str
    """Where forms are sent."""
    link: str
    """Its whole address, to be passed on."""
    colours: tuple[str, ...] = COLOURS
    most: int = MOST_COMMENT


def study_row(study: Study) -> StudyRow:
    """Return a study as a list shows it."""
    visibility = study.get_visibility_display()
    return StudyRow(study.title, study.get_absolute_url(), study.owner.username, visibility, study.changed_at)


def study_page(study: Study, viewer: Viewer, query: QueryDict) -> StudyPage:
    """Return a study's page, at the chapter and the position that an address asks for."""
    chapters = list(chapters_of(study, viewer).defer("tree"))  # that of the chapter shown is read alone
    asked = _number(query.get("chapter", ""))
    chapter = next((one for one in chapters if one.number == asked), chapters[0] if chapters else None)
    origin = origin_of(study, viewer)
    return StudyPage(
        key=study.key,
        title=study.title,
        url=study.get_absolute_url(),
        author=study.owner.username,
        visibility=study.visibility,
        version=study.version,
        changed_at=study.changed_at,
        read_version=study.read_version,
        origin=Link(origin.title, origin.get_absolute_url()) if origin else None,
        hidden_for=study.hidden_for,
        is_hidden=study.hidden_at is not None,
        is_own=study.owner_id == viewer.pk,
        moderates=is_moderator(viewer),
        follows=is_followed(study, viewer),
        chapters=tuple(ChapterLink(one.number, one.title, current=one == chapter) for one in chapters),
        chapter=_shown(chapter, _number(query.get("node", ""))) if chapter else None,
        act=reverse("study-act", args=[study.key]),
        link=f"{settings.SITE_URL}{study.get_absolute_url()}",
    )


def _number(text: str) -> int:
    """Return a number of an address; -1 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else ROOT  # noqa: PLR2004 (of 5,000)


def _shown(chapter: StudyChapter, asked: int) -> ChapterShown:
    played = played_chapter(chapter)
    tree = played.tree
    node = asked if asked < len(tree.nodes) else ROOT
    svg, scene = draw(played, node, translated)
    places = cells(scene)
    said, game, names = tree if node == ROOT else tree.nodes[node], chapter.game, names_of(chapter)
    return ChapterShown(
        number=chapter.number,
        version=chapter.version,
        title=chapter.title,
        ruleset=ruleset_title(chapter.ruleset),
        game=Link(game.key, game.get_absolute_url()) if game else None,
        players=tuple(names.values()),
        node=node,
        token="" if node == ROOT else tree.nodes[node].token,
        board=drawn(svg),
        caption=scene.caption.render(translated),
        picture=scene.text.render(translated),
        comment=said.comment,
        opening=tree.comment,
        marks=said.marks,
        items=tuple(items_of(played, node)),
        steps=_steps(played, node),
        may_promote=node != ROOT and tree.children()[tree.nodes[node].parent][0] != node,
        marking={"size": distance([*places.values()]), "cells": places},
        record=f"{format_tags(dict(tree.tags))}\n{' '.join(played.played(node)[1])}\n*\n",
    )


def _steps(played: PlayedTree, node: int) -> Steps:
    tree = played.tree
    children = tree.children()
    parent = None if node == ROOT else tree.nodes[node].parent
    following = children[node][:1]
    last = node
    while children[last]:
        last = children[last][0]
    beside = [] if parent is None else children[parent]
    at = beside.index(node) if beside else 0
    return Steps(
        first=None if node == ROOT else ROOT,
        previous=parent,
        next=following[0] if following else None,
        last=last if last != node else None,
        earlier=beside[at - 1] if at else None,
        later=beside[at + 1] if at + 1 < len(beside) else None,
    )
