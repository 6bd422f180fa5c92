"""A club's news as its webhook sends it: an event for programs, and a sentence for a chat."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db.models import Exists, Max, OuterRef, QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, override

from engine.agn.dates import days_json
from engine.quoting import printable
from games.clubs.reads.points import in_points, table_of
from games.models import Acceptance, Club, ClubWebhook, Delivery, DeliveryAttempt, Evening, Game, Season
from games.records.reads.games import with_seats
from games.records.reads.titles import ruleset_title

MOST_GAMES = 20
"""Named in one message, the newest."""
LISTED = 5
"""Attempts that are listed, the newest."""
_LINES = 3
"""Of a final table in a sentence."""
_MARKUP = str.maketrans({"<": "\u2039", ">": "\u203a", **{sign: f"{sign}\u200b" for sign in "[]()`*_~|@#\\"}})
"""What chats take for markup, or for a call to everybody: brackets that look alike, or a space of no width behind."""
Parts = tuple[str, str, dict[str, object]]
"""The kind of an event, its sentence, and its data."""


def webhook_of(club: Club) -> ClubWebhook | None:
    """Return a club's webhook."""
    return ClubWebhook.objects.select_related("by").filter(club=club).first()


def attempts_of(webhook: ClubWebhook) -> list[DeliveryAttempt]:
    """Return the latest attempts to reach a club's webhook, newest first."""
    return list(DeliveryAttempt.objects.filter(delivery__webhook=webhook).order_by("-pk")[:LISTED])


def webhooks_with_new_games() -> "QuerySet[ClubWebhook]":
    """Return the webhooks of clubs with public games that count and were not announced yet."""
    new = _public().filter(ladder__club=OuterRef("club"), number__gt=OuterRef("games_upto"))
    return ClubWebhook.objects.filter(Exists(new)).order_by("pk")


def _public() -> "QuerySet[Acceptance]":
    return Acceptance.objects.filter(counts=True, game__private=False)


def last_number(club: Club) -> int:
    """Return the number in the sequence of a club's last game; 0 when it has none."""
    last: int | None = Acceptance.objects.filter(ladder__club=club).aggregate(last=Max("number"))["last"]
    return last or 0


def news_of(delivery: Delivery) -> Mapping[str, object]:
    """Return the body that a club's webhook sends: the whole event, or for a chat only the sentence."""
    webhook = delivery.webhook
    assert webhook  # noqa: S101 - for the types
    with override(webhook.language):
        kind, sentence, data = _parts(delivery, webhook.club)
    if webhook.form == ClubWebhook.Form.CHAT:
        return {"text": sentence, "content": sentence, "allowed_mentions": {"parse": []}}
    about = {"club": webhook.club.slug, "name": webhook.club.name, "page": _address(webhook.club.get_absolute_url())}
    event = {"type": kind, "timestamp": delivery.made_at.isoformat(), "data": about | data}
    return event | {"text": sentence, "content": sentence}


def _parts(delivery: Delivery, club: Club) -> Parts:
    if delivery.evening:
        return _of_evening(delivery.evening, club)
    if delivery.season:
        return _of_season(delivery.season, club)
    if delivery.games_upto is not None:
        return _of_games(club, delivery.games_after or 0, delivery.games_upto)
    said = gettext("{name} posts its news here: new games, evenings and final tables.").format(name=_plain(club.name))
    return "club.connected", f"{said} {_address(club.get_absolute_url())}", {}


def _of_evening(evening: Evening, club: Club) -> Parts:
    parts = [date_format(evening.day, "SHORT_DATE_FORMAT"), f"{evening.begins:%H:%M}" if evening.begins else ""]
    when = ", ".join(part for part in (*parts, _plain(evening.place or club.meets)) if part)
    said = gettext("{name}: an evening is planned for {when}. Are you coming?").format(
        name=_plain(club.name), when=when
    )
    data = {
        "evening": evening.pk,
        "day": evening.day.isoformat(),
        "begins": evening.begins.isoformat() if evening.begins else None,
        "place": evening.place,
        "calendar": _address(reverse("club-calendar", args=[club.slug, evening.pk])),
    }
    return "club.evening", f"{said} {_address(club.get_absolute_url())}", data


def _of_season(season: Season, club: Club) -> Parts:
    table, page = table_of(club, season), _address(reverse("club-season", args=[club.slug, season.pk]))
    first = (f"{row['place']}. {_plain(row['name'])} {in_points(round(row['points'] * 2))}" for row in table["rows"])
    said = gettext("{name}: final table of {season}.").format(name=_plain(club.name), season=_plain(season.name))
    lines = ", ".join([line for line, _ in zip(first, range(_LINES), strict=False)])
    data = {"season": season.pk, "season_name": season.name, "season_page": page, "rows": table["rows"]}
    return "club.season", " ".join(part for part in (said, lines, page) if part), data


def _of_games(club: Club, after: int, upto: int) -> Parts:
    public = _public().filter(ladder__club=club, number__gt=after, number__lte=upto)
    count, newest = public.count(), public.order_by("-number").values("game")[:MOST_GAMES]
    games: list[dict[str, Any]] = [
        _game(game) for game in with_seats(Game.objects.filter(pk__in=newest.values("game"))).order_by("pk")
    ]
    page = f"{_address(reverse('games'))}?club={club.slug}"
    said = ngettext("{name}: {count} new game.", "{name}: {count} new games.", count)
    said = said.format(name=_plain(club.name), count=count)
    if len(games) == count == 1:
        page = str(games[0]["page"])
        said = f"{said} {games[0]['ruleset_title']}: {_result(games[0])}."
    return "club.games", f"{said} {page}", {"count": count, "games": games}


def _game(game: Game) -> dict[str, object]:
    return {
        "key": game.key,
        "url": _address(reverse("api-game", args=[game.key])),
        "page": _address(game.get_absolute_url()),
        "ruleset": game.ruleset,
        "ruleset_title": ruleset_title(game.ruleset),
        **days_json(game.played),
        "seats": [
            {"letter": seating.letter, "player": seating.player_id, "name": seating.player.name, "place": seating.place}
            for seating in game.seatings.all()
        ],
    }


def _result(game: dict[str, Any]) -> str:
    """Return who took which place: `1. Ada, 2. Bea`."""
    seats = sorted(game["seats"], key=lambda seat: seat["place"] or len(game["seats"]))
    return ", ".join(f"{seat['place']}. {_plain(seat['name'])}" for seat in seats)


def _plain(text: str) -> str:
    """Return a text in one line in which a chat finds no markup, no mention and no link."""
    return printable(text, " ").translate(_MARKUP).replace("://", ":\u200b//")


def _address(path: str) -> str:
    return f"{settings.SITE_URL}{path}"
