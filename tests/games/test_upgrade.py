"""A database of an older version is brought to this one, with games of every ruleset, ratings and accounts in it."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import StateApps
from psycopg import sql
from pytest_django import DjangoDbBlocker

from engine.registry import RULESETS
from engine.ruleset import Ruleset

ALIAS = "upgraded"
BEFORE = ("games", "0026_packed_alone")


@pytest.fixture
def before(db: None, django_db_blocker: DjangoDbBlocker) -> Iterator[StateApps]:
    """The models as they were, and a database of their own."""
    own = dict(connections["default"].settings_dict)
    name = f"{own['NAME']}_{ALIAS}"
    for word in ("DROP DATABASE IF EXISTS {}", "CREATE DATABASE {}"):
        _ask_server(word, name)
    connections.databases[ALIAS] = own | {"NAME": name}
    try:
        with django_db_blocker.unblock():
            call_command("migrate", *BEFORE, database=ALIAS, verbosity=0)
            yield MigrationExecutor(connections[ALIAS]).loader.project_state(BEFORE).apps
    finally:
        connections[ALIAS].close()
        del connections[ALIAS], connections.databases[ALIAS]
        _ask_server("DROP DATABASE IF EXISTS {}", name)


def _ask_server(word: str, name: str) -> None:
    connection = connections["default"]
    params = {**connection.get_connection_params(), "autocommit": True}
    params.pop("cursor_factory", None)
    params.pop("context", None)
    with closing(psycopg.connect(**params)) as server:
        server.execute(sql.SQL(word).format(sql.Identifier(name)))


class Old:
    """Rows as the old version wrote them."""

    def __init__(self, apps: StateApps, now: datetime) -> None:
        self.apps, self.now, self.number = apps, now, 0

    def add(self, model: str, **values: Any) -> Any:
        app = "auth" if model == "User" else "games"
        return self.apps.get_model(app, model)._default_manager.using(ALIAS).create(**values)

    def games(self, ruleset: Ruleset[Any, Any], players: list[Any]) -> None:
        """Two games of a ladder, which the one and the other wins; the first is there again, with another name."""
        ladder = self.add("Ladder", ruleset=ruleset.slug)
        first, again = (self.add("Upload", via="api", received_at=self.now) for _ in range(2))
        for round_, winner in enumerate((0, 1)):
            game = self.add(
                "Game", key=f"{ruleset.slug[:4]}{ruleset.slug[-3:]}{round_}"[:8], ruleset=ruleset.slug, plies=1,
                verdict="verified", digest=f"{ruleset.slug}{round_}", received_at=self.now,
            )  # fmt: skip
            for seat, player in enumerate(players):
                place = 1 if seat == winner else 2
                self.add("Seating", game=game, seat=seat, letter="RY"[seat], player=player, place=place)
            self.log(game, first, round_ + 1, ruleset, ("Ada", "Bruno"))
            self.rated(game, ladder, players, winner)
            if not round_:
                self.log(game, again, 1, ruleset, ("Xenia", "Bruno"))

    def log(self, game: Any, upload: Any, number: int, ruleset: Ruleset[Any, Any], names: tuple[str, str]) -> None:
        tags = {"Game": ruleset.game, "Rules": ruleset.edition, "Site": 'The "nest"', "Red": names[0]}
        text = "".join('[{} "{}"]\n'.format(tag, value.replace('"', '\\"')) for tag, value in tags.items())
        self.add(
            "MoveLog", upload=upload, number=number, line=1, form="text", data=text.encode(), state="judged",
            queued_at=self.now, game=game, seats=[["R", names[0]], ["Y", names[1]]], text=text,
            game_digest=game.digest, verdict="verified",
        )  # fmt: skip

    def rated(self, game: Any, ladder: Any, players: list[Any], winner: int) -> None:
        self.number += 1
        at = self.now + timedelta(hours=self.number)
        own = {"number": self.number, "game": game, "ladder": ladder}
        acceptance = self.add("Acceptance", due_at=at, accepted_at=at, **own)
        for seat, player in enumerate(players):
            mu = 40.0 if seat == winner else 20.0
            self.add(
                "RatingEvent", acceptance=acceptance, player=player, seat=seat, place=1 + (seat != winner), at=at,
                algorithm="test", mu_before=25.0, sigma_before=8.0, mu=mu, sigma=1.0, **own,
            )  # fmt: skip


def test_an_upgrade_keeps_games_and_ranks_and_finds_who_was_named_otherwise(before: StateApps, now: datetime) -> None:
    old = Old(before, now)
    for name in ("alice", "\u0430lice", "bob"):
        old.add("User", username=name)
    players = [old.add("Player", name=name, source='The "nest"', created_at=now) for name in ("Ada", "Bruno")]
    for ruleset in RULESETS:
        old.games(ruleset, players)
    call_command("migrate", database=ALIAS, verbosity=0)
    seats = "SELECT string_agg(name, ' ' ORDER BY seat) FROM games_seating JOIN games_player p ON p.id = player_id"
    found = f"SELECT ruleset, upheld, length(seating), ({seats} WHERE game_id = game.id) FROM games_game AS game"
    assert asked(f"{found} ORDER BY 1, 2") == sorted(
        row
        for each in RULESETS
        for row in ((each.slug, False, 32, "Xenia Bruno"), *[(each.slug, True, 32, "Ada Bruno")] * 2)
    )
    challenges = "SELECT ruleset, holds FROM games_challenge c JOIN games_game g ON g.id = c.game_id ORDER BY 1"
    assert asked(challenges) == sorted((each.slug, False) for each in RULESETS)
    ranks = "SELECT name, rank, count(*) FROM games_bestrank JOIN games_player p ON p.id = player_id"
    many = len(RULESETS)
    assert asked(f"{ranks} GROUP BY 1, 2 ORDER BY 1, 2") == [("Ada", 1, many), ("Bruno", 1, many), ("Bruno", 2, many)]
    kept = (
        "SELECT username, skeleton IS NULL FROM games_accountname JOIN auth_user u ON u.id = account_id ORDER BY u.id"
    )
    assert asked(kept) == [("alice", False), ("\u0430lice", True), ("bob", False)]


def asked(statement: str) -> list[tuple[Any, ...]]:
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(statement)
        return [tuple(row) for row in cursor.fetchall()]


def test_no_migration_needs_what_the_app_does_now() -> None:
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        if app == "games":
            used = vars(__import__(type(migration).__module__, fromlist=["Migration"])).values()
            homes = {getattr(value, "__module__", "") or "" for value in used}
            live = {home for home in homes if home.startswith(("games.", "engine"))}
            assert all(home.startswith(("games.migrations", "games.models")) for home in live), name
