"""Every page of the site with something on it, and who looks at it.

The addresses come from the table of access, which has every address of the site; `tests/browser/test_every_page.py`
checks that none is forgotten.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.urls import resolve

from games.clubs import running
from games.collections import keeping
from games.films import making
from games.films.asking import ask_for
from games.films.options import FilmOptions
from games.invitations.reads.tokens import token_of
from games.ladders.reads.careers import ladders_of
from games.models import Collection, Player, RatingEvent, Upload
from games.notices.preferences import stop_address
from games.uploads.origin import UploadOptions
from tests.factories import BROKEN, duels
from tests.games.evenings import play
from tests.games.invitations.asking import invited, link
from tests.games.judging import judge_all
from tests.games.playing.seating import guests, seated
from tests.games.playing.seating import play as play_on
from tests.games.test_access import ROWS, VIEWERS, World, address, everybody, two_worlds
from tests.games.uploading import upload_file
from tests.strategies import FIXTURES

REPLAYS = (
    "game",
    "game-embed",
    "game-dealing",
    "upload-record",
    "print",
    "score",
    "a long game",
    "a rejected game",
    "a game that was dealt",
)
"""Pages that show a whole game or write one down without a network, for which there is more room."""
WITH_A_PASSWORD = frozenset(
    {
        "account_change_password", "account_confirm_login_code", "account_reauthenticate", "mfa_add_webauthn",
        "mfa_authenticate", "mfa_deactivate_totp", "mfa_download_recovery_codes", "mfa_edit_webauthn",
        "mfa_login_webauthn", "mfa_reauthenticate", "mfa_reauthenticate_webauthn", "mfa_remove_webauthn",
        "mfa_view_recovery_codes",
    }
)  # fmt: skip
"""Pages that ask for a password or a second factor first: `tests/browser/test_accounts.py` looks at such."""
FILES = frozenset({"dump-file", "metrics", "security-txt"})
"""Files that this site has not."""
_IN_THE_API = re.compile("api-docs|api-guide|api-games|schema")
"""Of all answers that browsers see as pages of one kind, one is looked at."""
_OK = 200
_SIGNED_IN = ("uploader", "moderator", "participant", "stranger")


READ = [
    row
    for row in ROWS
    if row.method == "GET" and (not row.name.startswith(("api-", "live-")) or _IN_THE_API.fullmatch(row.name))
]
"""The addresses that may answer with pages."""


class Visit(NamedTuple):
    """A page, and who looks at it; nobody is a visitor."""

    name: str
    path: str
    who: User | None
    status: int = 200


def visits(now: datetime) -> list[Visit]:
    """Make the rows; return all pages, each for a visitor and for somebody signed in who may see it."""
    people = everybody(now)
    public, _ = two_worlds(people, now)
    people["operator"] = User.objects.create_user("operator", is_staff=True)
    return [*_of_table(people, public), *_more(people, now)]


def _of_table(people: dict[str, User], world: World) -> Iterator[Visit]:
    """Yield the addresses in the table of access that show something in the public world."""
    for row in READ:
        if row.name in WITH_A_PASSWORD:
            continue
        status, path = dict(zip(VIEWERS, row.public, strict=True)), address(row.name, world)
        if status["nobody"] == _OK:
            yield Visit(row.name, path, None)
        if who := next((name for name in _SIGNED_IN if status[name] == _OK), None):
            yield Visit(row.name, path, people[who])


def _more(people: dict[str, User], now: datetime) -> Iterator[Visit]:
    """Yield pages of what that world has not."""
    mine = people["uploader"]
    for name, path in {**_of_clubs(people, now), **_of_games(people, now), **_of_players()}.items():
        if name != "a club's settings":
            yield Visit(name, path, None)
        yield Visit(name, path, mine)
    yield Visit("signing in on the way", "/account/login/?next=/clubs/new/", None)
    for name, path in _of_invitations(mine, now).items():
        yield Visit(name, path, None if name == "invitation" else mine)
    kept = Collection.objects.get()
    yield Visit("moderation-collection", f"/moderation/collections/{kept.key}/", people["moderator"])
    yield Visit("operating", "/operating/", people["operator"])
    yield Visit("mails-stop", urlsplit(stop_address(mine.pk)).path, None)
    yield Visit("nothing", "/nothing/", None, 404)


def _of_clubs(people: dict[str, User], now: datetime) -> dict[str, str]:
    mine = people["uploader"]
    club = running.found(slug="formica", name="Casa Formica", meets="Fridays", main_ruleset="", by=mine, now=now)
    running.add_by_name(club, "Eve", by=mine, now=now)
    link_to = running.make_link(club, by=mine, now=now)
    running.plan(club, now.date() + timedelta(days=9), begins=None, place="Café Ameise", by=mine, now=now)
    for days in range(3):
        play([(["Ada", "Bea", "Cem"], [1, 2, 2])] * 2, now - timedelta(days=7 * days), club=club)
    ends = now.date() + timedelta(days=30)
    season = running.begin_season(club, name="Autumn", begins=now.date() - timedelta(days=20), ends=ends, by=mine)
    return {
        "a club": "/clubs/formica/",
        "a club's settings": "/clubs/formica/edit/",
        "poster": "/clubs/formica/poster/",
        "evening": f"/clubs/formica/evenings/{now.date()}/",
        "season": f"/clubs/formica/seasons/{season.pk}/",
        "a club's leaderboard": "/clubs/formica/leaderboards/atta-ants-online/",
        "join": f"/j/{token_of(link_to.nonce, link_to.digest)}/",
    }


def _of_games(people: dict[str, User], now: datetime) -> dict[str, str]:
    mine = people["uploader"]
    files = [
        FIXTURES / "ant_trails/games/all-tiles-collected.agn",
        *sorted((FIXTURES / "dealing/games").glob("proved-a*")),
    ]
    records = [*(file.read_bytes() for file in files[:2]), BROKEN, *duels(30, names=("Gil", "Hal"))]
    options = UploadOptions()
    upload = upload_file(b"\n".join(records), via=Upload.Via.WEB, now=now, uploader=mine, options=options)
    judge_all(now)
    long, dealt, broken, *_ = [log.game for log in upload.logs.order_by("number") if log.game]
    film = ask_for(long, FilmOptions(size=120, last=3), plies=3, by="x", now=now)
    making.make_due(now=lambda: now, has_time=lambda: True)
    kept = keeping.make(mine, "Brave ants", public=True, now=now)
    keeping.add(kept, long, now=now)
    both = guests(2)
    table = play_on(seated(both, now), both, now, most=12)
    return {
        "a long game": f"{long.get_absolute_url()}?ply=4",
        "a rejected game": broken.get_absolute_url(),
        "a game that was dealt": dealt.get_absolute_url(),
        "dealing": f"{dealt.get_absolute_url()}dealing/",
        "print": f"{long.get_absolute_url()}print/",
        "films": f"{long.get_absolute_url()}films/",
        "film": f"{long.get_absolute_url()}films/{film.pk}/",
        "collection": f"/collections/{kept.key}/",
        "a long upload": upload.get_absolute_url(),
        "a table with a game": table.get_absolute_url(),
        "games of one player": "/games/?player=Gil",
        "search": "/search/?q=a",
    }


def _of_players() -> dict[str, str]:
    """Return the pages about the ratings that the club's games gave."""
    event = RatingEvent.objects.order_by("pk")[0]
    player, ladder = Player.objects.get(pk=event.player_id), event.ladder
    assert ladders_of(player)
    other = RatingEvent.objects.filter(number=event.number).exclude(player=player)[0]
    return {
        "a rated player": player.get_absolute_url(),
        "career": f"{player.get_absolute_url()}ladders/{ladder.ruleset}/?club=formica",
        "cause": f"{player.get_absolute_url()}games/{event.number}/",
        "career by day played": f"{player.get_absolute_url()}ladders/{ladder.ruleset}/?club=formica&by=played",
        "a leaderboard by day played": f"/clubs/formica/leaderboards/{ladder.ruleset}/?as_of=2026-01-01&by=played",
        "pair": f"{player.get_absolute_url()}against/{other.player_id}/",
    }


def _of_invitations(mine: User, now: datetime) -> dict[str, str]:
    upload = upload_file(b"\n".join(duels(2, names=("Ivo", "Jan"))), via=Upload.Via.WEB, now=now, uploader=mine)
    judge_all(now)
    jan = invited("Jan", upload, mine, now, me="Ivo")
    return {
        "invitation": link(jan.invitation),
        "invitation made": f"/invitations/{jan.invitation_id}/",
        "who is who": f"{upload.get_absolute_url()}?who=1",
    }


def forgotten(found: list[Visit]) -> set[str]:
    """Return the names of addresses that may answer with a page, and that nobody visits."""
    seen = {resolve(visit.path.partition("?")[0]).url_name for visit in found if visit.name != "nothing"}
    files = {row.name for row in READ if _OK in row.public}  # what of these is a page is visited: see `_of_table`
    others = {row.name for row in READ if {*row.public} <= {301, 302, 303}}  # they lead elsewhere
    return {row.name for row in READ} - seen - files - others - FILES - WITH_A_PASSWORD
