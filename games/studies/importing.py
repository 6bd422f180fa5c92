"""Importing a study from a file, AGN or JSON."""

import json
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.translation import gettext

from engine.studying import MOST_TITLE, ReadChapter, read_file
from games.models import Game, Study
from games.records.reads.games import find_game_by_key
from games.records.reads.replays import first_log, replay_of
from games.studies.errors import StudyRefusedError
from games.studies.writing import MOST_CHAPTERS, About, NewChapter, create

MOST_BYTES = 4 * 1024 * 1024
"""Of a file."""


def import_file(data: bytes, about: About, *, by: AbstractBaseUser, now: datetime) -> Study:
    """Create a study from a file; without a title it gets that of the file. Players' names in it are not kept.

    :raises StudyRefusedError: when the file is too long.
    :raises StudyError: at the first fault, with its rule and place.
    """
    title, chapters = _read(data, by)
    titled = About(
        about.title or title[:MOST_TITLE] or "".join(one.title for one in chapters[:1]) or gettext("Study"),
        about.visibility,
    )
    return create(titled, chapters, by=by, now=now)


def chapters_in(data: bytes, by: AbstractBaseUser) -> list[NewChapter]:
    """Return the chapters of a file. :raises StudyRefusedError: or StudyError, as `import_file` does."""
    return _read(data, by)[1]


def _read(data: bytes, by: AbstractBaseUser) -> tuple[str, list[NewChapter]]:
    if len(data) > MOST_BYTES:
        raise StudyRefusedError("too_large", "A study’s file can have at most {most} MiB.", most=MOST_BYTES >> 20)
    title, chapters = read_file(data, MOST_CHAPTERS)
    games = _games(data, by) if data.lstrip().startswith(b"{") else {}
    found = enumerate(chapters)
    return title, [
        NewChapter(one.title, one.played.tree, _about(games.get(at), one, by), checked=True) for at, one in found
    ]


def _games(data: bytes, by: AbstractBaseUser) -> dict[int, Game]:
    """Return the games that the chapters of a study in JSON name, as far as an account sees them."""
    try:
        chapters = json.loads(data)["chapters"]
    except (ValueError, KeyError):
        return {}  # records in JSON, one a line
    keys = {at: one.get("game") for at, one in enumerate(chapters) if isinstance(one.get("game"), str)}
    found = {at: find_game_by_key(key[:8], by) for at, key in keys.items()}
    return {at: game for at, game in found.items() if game}


def _about(game: Game | None, chapter: ReadChapter, by: AbstractBaseUser) -> Game | None:
    """Return a game if the chapter begins as the game does; else it is not about it."""
    played = replay_of(first_log(game, by)).replay if game else None
    return game if played and chapter.played.states[0] == played.start else None
