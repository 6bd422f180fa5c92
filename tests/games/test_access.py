"""Access: every address, requested by every kind of viewer, for a public and a private game.

`access.txt` lists the expected statuses. Every address needs a row, and every row an address.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from pytest_django import DjangoDbBlocker

from games.accounts.tokens import Scope, make_token
from games.clubs import running
from games.comments import writing as comments
from games.consent import confirmations
from games.models import (
    Claim,
    Club,
    ClubMember,
    Dispute,
    Evening,
    Flag,
    Game,
    GameComment,
    Ladder,
    Player,
    Season,
    Study,
    Table,
    Upload,
)
from games.moderation import moderators
from games.players import claims
from games.playing.opening import TableOptions, open_table
from games.playing.reads.people import Person
from games.studies import writing
from games.uploads.origin import SCORED, UploadOptions
from tests.conftest import NOW
from tests.factories import duels
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.standing import standing_rows
from tests.tiers import by_tier, share

pytestmark = pytest.mark.django_db

VIEWERS = ("nobody", "stranger", "member", "participant", "organiser", "uploader", "moderator")
"""Visitors, and accounts: one that has nothing to do with the game or the club, a member of the club, a player of the
game, an organiser of the club, who uploaded the game and founded the club, and a moderator."""
GOOD_FOR = {
    Scope.PLAY: re.compile("api-table.*|live-me"),
    Scope.MODERATE: re.compile(
        "api-moderation.*|api-claim|api-claim-(decision|vouch|revocation)|api-account-holds|api-hold-decision"
        "|api-club-(un)?listing"
    ),
}
"""The addresses that a token opens."""
KNOWING_NO_TOKENS = re.compile(
    "(?!api-|live-|schema).*|api-(docs|guide|leagues-moved|positions|setup)|live-(health|lobby|table)"
)
"""Pages, and what answers everybody alike."""
TWO = ("nobody", "uploader")
"""Who is asked where all get the same: the uploader's pages have most on them."""
OF_CLUB = {"member", "organiser"}
"""They differ from a stranger only where the club is concerned."""
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Row:
    """Expected statuses of an address for the viewers, in order: in the public and in the private world."""

    name: str
    method: str
    public: tuple[int, ...]
    private: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class World:
    """A game with everything attached to it, public or private."""

    game: Game
    player: Player
    """A player known only from this game."""
    claim: Claim
    dispute: Dispute
    upload: Upload
    hold: Flag
    """Why the game is held in the club."""
    table: Table
    """A table opened by the uploader where a game is about to start."""
    study: Study
    """The uploader's study of the game, as private as the game."""
    comment: GameComment
    """The uploader's comment on the game."""
    evening: Evening
    """The club's next evening."""
    season: Season
    """The club's open season."""
    member: ClubMember
    """The member's membership of the club."""


def rows() -> Iterator[Row]:
    for line in (Path(__file__).parent / "access.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, method, cells = line.split(None, 2)
            public, _, private = cells.partition("/")
            yield Row(name, method, _cells(public), _cells(private or public))


def _cells(text: str) -> tuple[int, ...]:
    cells = tuple(map(int, text.split()))
    return cells * len(VIEWERS) if len(cells) == 1 else cells


def routes() -> Iterator[tuple[str, URLPattern, str]]:
    """Every named address and its pattern."""

    def below(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[tuple[str, URLPattern, str]]:
        for pattern in patterns:
            written = before + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                yield from below(pattern.url_patterns, written)
            elif pattern.name:
                yield pattern.name, pattern, written

    return below(get_resolver().url_patterns, "")


ROWS = list(rows())
ROUTES = {name: written for name, _, written in routes()}
VIEWS = {name: pattern.callback for name, pattern, _ in routes()}
Role = ClubMember.Role
LADDER, RULES, CLUB = "atta-ants-online", "atta-ants", "nest"


Cast = dict[str, User | None]


@pytest.fixture(scope="module")
def standing_worlds(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[Cast, Any]]:
    """All viewers and the two worlds, created once for all tests of a module."""
    with standing_rows(django_db_blocker):
        with django_db_blocker.unblock():
            people = everybody(NOW)
            both = two_worlds(people, NOW)
        yield {"nobody": None, **people}, both


@pytest.fixture
def cast(standing_worlds: tuple[Cast, Any], db: None) -> Cast:
    """All viewers; the participant's player is Bruno."""
    return deepcopy(standing_worlds[0])


@pytest.fixture
def worlds(standing_worlds: tuple[Any, tuple[World, World]], db: None) -> tuple[World, World]:
    """The public world and the private one."""
    return deepcopy(standing_worlds[1])


def everybody(now: datetime) -> dict[str, User]:
    """Create the accounts of all viewers."""
    people = {name: User.objects.create_user(name, f"{name}@ants.example") for name in VIEWERS[1:]}
    moderators.make_moderator(people["moderator"], now=now)
    return people


def two_worlds(cast: dict[str, User], now: datetime) -> tuple[World, World]:
    """Create the public world and the private one."""
    _found_club(cast, now)
    (one, _), (_, two) = duels(2, names=("Ada", "Bruno")), duels(2, names=("Xenia", "Bruno"))
    return _world(one, "Ada", SCORED, cast, now), _world(two, "Xenia", UploadOptions(private=True), cast, now)


def _found_club(cast: dict[str, User], now: datetime) -> None:
    club = Club.objects.create(slug=CLUB, name="The nest", created_at=now, listed_at=now)
    roles = {"uploader": Role.OWNER, "organiser": Role.ORGANISER, "member": Role.MEMBER}
    for name, role in roles.items():
        ClubMember.objects.create(club=club, account=cast[name], name=name, role=role, joined_at=now)
    club.organisers.add(cast["uploader"], cast["organiser"])
    by, day = cast["uploader"], now.date()
    running.plan(club, day + timedelta(days=7), begins=None, place="", by=by, now=now)
    running.begin_season(club, name="Spring", begins=day, ends=day + timedelta(days=90), by=by)


def _world(data: bytes, name: str, options: UploadOptions, cast: dict[str, User], now: datetime) -> World:
    upload = upload_file(data, via=Upload.Via.WEB, now=now, uploader=cast["uploader"], options=options)
    judge_all(now)
    _give_name("Bruno", cast["participant"], cast["uploader"], now)
    game, player = Game.objects.get(logs__upload=upload), Player.objects.get(name=name)
    claim = Claim.objects.create(player=player, account=cast["participant"], made_at=now)
    ladder, _ = Ladder.objects.get_or_create(ruleset=game.ruleset, club=Club.objects.get())
    hold = Flag.objects.create(kind="likeness", game=game, ladder=ladder, raised_at=now)
    dispute = confirmations.dispute(game, cast["participant"], reason="No.", now=now)
    seen = TableOptions(ruleset="army-ants", visibility="link" if options.private else "open")
    table = open_table(seen, Person(account=cast["uploader"]), now=now)
    about = writing.About("A study", "private" if options.private else "public")
    study = writing.create(about, [writing.chapter_about(game, "", [], cast["uploader"])], by=cast["uploader"], now=now)
    comment = comments.write(game, "A short game", by=cast["uploader"], now=now)
    of_club = (Evening.objects.get(), Season.objects.get(), cast["member"].memberships.get())
    return World(game, player, claim, dispute, upload, hold, table, study, comment, *of_club)


def _give_name(name: str, account: User, by: User, now: datetime) -> None:
    """Assign a name to an account, approved by the uploader."""
    player = Player.objects.get(name=name)
    if player.account is None:
        claims.decide_claim(claims.make_claim(player, account, now=now), approve=True, by=by, now=now)


def address(name: str, world: World) -> str:
    """Return an address filled in with objects of a world."""
    wanted = re.findall(r"<(?:\w+:)?(\w+)>", ROUTES[name])
    return reverse(name, kwargs={what: _value(what, name, world) for what in wanted})


def _value(what: str, name: str, world: World) -> Any:
    if what == "slug":
        kind = name.partition("-")[0]
        return LADDER if "leaderboard" in name else {"rules": RULES, "club": CLUB}.get(kind, LADDER)
    if what in ("pk", "other"):
        return _number("other" if what == "other" else name, world)
    if what == "key" and name.startswith("account_"):
        return "x"
    if what == "key" and "study" in name:
        return world.study.key
    if what == "key" and "table" in name:
        return world.table.key
    others = {
        "token": "x",
        "day": "2026-03-14",
        "collection": "0000000x",
        "rest": "",
        "kind": "games",
        "month": "2026-03",
        "name": "SHA256SUMS",
        "part": "mail",
    }
    return {"key": world.game.key, "number": 1, "uidb36": "1", "club": CLUB, **others}[what]


def _number(name: str, world: World) -> Any:
    things = {"dispute": world.dispute, "upload": world.upload, "player": world.player, "claim": world.claim}
    things |= {"hold": world.hold, "comment": world.comment}
    things |= {"club-evening": world.evening, "club-calendar": world.evening}
    things |= {"club-season": world.season, "club-member": world.member}
    others = {"rating-cause": world.player, "career": world.player, "pair": world.player}
    others |= {"other": Player.objects.get(name="Bruno")}
    found = next((thing for word, thing in (things | others).items() if word in name), None)
    return found.pk if found else 1


@pytest.mark.usefixtures("rendering_asks_nothing")
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_every_viewer_gets_exactly_the_expected_access(
    cast: dict[str, User | None], worlds: tuple[World, World], method: str
) -> None:
    clients = {name: Client() for name in VIEWERS}
    for name, user in cast.items():
        if user:
            clients[name].force_login(user)
    wrong = []
    for number, row in enumerate(
        share([row for row in ROWS if row.method == method], 0, of=by_tier(quick=3, full=1, long=1))
    ):
        both = tuple(zip(worlds, (row.public, row.private), strict=True))
        for world, expected in both if row.public != row.private else share(both, number, of=2):
            path = address(row.name, world)
            answers = {name: _status(clients[name], row.method, path) for name in _asked(row, expected)}
            if answers != {name: status for name, status in zip(VIEWERS, expected, strict=True) if name in answers}:
                wrong.append(f"{row.name} {row.method}: expected {expected}, got {answers}")
            if row.public == row.private and all(address(row.name, one) == path for one in worlds):
                break
    assert wrong == []


def _asked(row: Row, expected: tuple[int, ...]) -> tuple[str, ...]:
    """Return who is asked for: two where all may read, otherwise all; the quick tier asks those who differ."""
    if row.public == row.private and len({*expected}) == 1:
        return TWO if expected[0] < 400 else by_tier(quick=TWO, full=VIEWERS, long=VIEWERS)
    statuses = dict(zip(VIEWERS, expected, strict=True))
    some = [name for name in VIEWERS if name not in OF_CLUB or statuses[name] != statuses["stranger"]]
    beside = {name for pair in pairwise(some) if statuses[pair[0]] != statuses[pair[1]] for name in pair}
    few = tuple(name for name in VIEWERS if name in beside) or VIEWERS[-1:]
    return by_tier(quick=few, full=VIEWERS, long=VIEWERS)


def _status(client: Client, method: str, path: str) -> int:
    """Send a request and undo its effects."""
    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        status = client.generic(method, path, content_type=FORM).status_code
        transaction.set_rollback(True)
    client.cookies = cookies
    return status


@pytest.mark.full
@pytest.mark.parametrize(("scope", "owner"), [(Scope.PLAY, "uploader"), (Scope.MODERATE, "moderator")])
def test_tokens_open_only_what_they_are_for(
    cast: dict[str, User], worlds: tuple[World, World], scope: Scope, owner: str
) -> None:
    client = Client(headers={"Authorization": f"Bearer {make_token(cast[owner], scope)}"})
    wrong = []
    for row in ROWS:
        expected = _with_token(row, scope, owner)
        if (status := _status(client, row.method, address(row.name, worlds[0]))) != expected:
            wrong.append(f"{row.name} {row.method}: expected {expected}, got {status}")
    assert wrong == []


def _with_token(row: Row, scope: Scope, owner: str) -> int:
    """Return the status for a request with a token: its owner's where it is good, 403 elsewhere; pages know none."""
    statuses = dict(zip(VIEWERS, row.public, strict=True))
    if KNOWING_NO_TOKENS.fullmatch(row.name):
        return statuses["nobody"]
    return statuses[owner] if GOOD_FOR[scope].fullmatch(row.name) else 403


@pytest.mark.full
def test_read_only_addresses_reject_post_requests(cast: dict[str, User], worlds: tuple[World, World]) -> None:
    client, (world, _) = Client(), worlds
    client.force_login(cast["moderator"])
    written = {row.name for row in ROWS if row.method == "POST"}
    answers = {name: _status(client, "POST", address(name, world)) for name in ROUTES.keys() - written}
    assert {name: status for name, status in answers.items() if status != 405} == {}


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert {row.name for row in ROWS} ^ ROUTES.keys() == set()


def test_every_writing_api_method_is_covered_by_the_access_table() -> None:
    writes = {
        (name, method.upper())
        for name, view in VIEWS.items()
        for method in ("post", "put", "patch", "delete")
        if name.startswith("api-") and hasattr(getattr(view, "cls", None), method)
    }
    assert writes - {(row.name, row.method) for row in ROWS} == set()
