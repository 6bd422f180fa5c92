"""The map of the site for search engines: its pages, public games and studies, listed clubs, players with public games.

A part covers a range of ids, so that every part costs the same and stays the same while others are added. The index and
the parts are the same for everybody and are cached for a while, as reading them takes long.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from django.conf import settings
from django.core.cache import cache
from django.db.models import F, Model
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from engine.registry import RULESETS
from games.models import Club, Game, Player, Study
from games.records.reads.rulebook import documents
from games.records.reads.visibility import NOBODY, players_for
from games.search.reads.openings import explorable
from games.studies.reads.studies import StudyFilter, list_studies

NUMBERS = 10_000
"""How many numbers a part covers; a sitemap may have 50,000 addresses."""
_IN_ORDER = 10**9
"""Numbers below this are given in order; players known only from private games have larger ones, by chance."""
_PAGES = (
    *("home", "play", "games", "openings", "studies", "players", "leaderboards", "clubs", "rules-index", "upload"),
    *("score", "check", "api-guide", "about", "dumps"),
)
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_KEPT = 3600
"""Seconds; so long at most the map names a game that was hidden meanwhile, whose page then answers 404."""
Entry = tuple[str, datetime | None]


@require_safe
def index(_request: HttpRequest) -> HttpResponse:
    """Return where the parts of the map are."""
    return _answer(_kept("index", lambda: _written("sitemapindex", "sitemap", _parts())))


def _parts() -> Iterator[Entry]:
    parts = [reverse("sitemap-part", args=["pages", 0])]
    models: tuple[tuple[str, type[Model]], ...]
    models = (("games", Game), ("players", Player), ("studies", Study), ("clubs", Club))
    for kind, model in models:
        rows = model._default_manager.filter(pk__lt=_IN_ORDER)  # noqa: SLF001 - whatever the model
        numbers = rows.annotate(part=F("pk") / NUMBERS).values_list("part", flat=True)
        parts += [reverse("sitemap-part", args=[kind, part]) for part in numbers.order_by("part").distinct()]
    yield from ((part, None) for part in parts)


@require_safe
def part(_request: HttpRequest, kind: str, number: int) -> HttpResponse:
    """Return a part of the map. :raises Http404: when there is none of that kind and number."""
    read = {"pages": _pages, "games": _games, "players": _players, "studies": _studies, "clubs": _clubs}.get(kind)
    if read is None or number * NUMBERS >= _IN_ORDER or (kind == "pages" and number):
        raise Http404
    numbers = range(number * NUMBERS, (number + 1) * NUMBERS)
    if kind == "pages":  # they change with the version, and are not in any table
        return _answer(_written("urlset", "url", read(numbers)))
    return _answer(_kept(f"{kind}-{number}", lambda: _written("urlset", "url", read(numbers))))


def _pages(_numbers: range) -> Iterator[Entry]:
    yield from ((reverse(name), None) for name in _PAGES)
    yield from ((reverse("rules", args=[document.slug]), None) for document in documents())
    yield from ((reverse("leaderboard", args=[ruleset.slug]), None) for ruleset in RULESETS)
    yield from ((reverse("opening", args=[ruleset.slug]), None) for ruleset in explorable())


def _games(numbers: range) -> Iterator[Entry]:
    shown = Game.objects.filter(pk__gte=numbers.start, pk__lt=numbers.stop, private=False, same_as=None)
    for game in shown.exclude(verdict="rejected").only("key", "received_at").order_by("pk"):
        yield game.get_absolute_url(), game.received_at


def _players(numbers: range) -> Iterator[Entry]:
    shown = Player.objects.filter(players_for(NOBODY), pk__gte=numbers.start, pk__lt=numbers.stop, merged_into=None)
    for player in shown.only("pk").order_by("pk"):
        yield player.get_absolute_url(), None


def _studies(numbers: range) -> Iterator[Entry]:
    shown = list_studies(StudyFilter(), NOBODY).filter(pk__gte=numbers.start, pk__lt=numbers.stop)
    for study in shown.order_by("pk"):
        yield study.get_absolute_url(), study.changed_at


def _clubs(numbers: range) -> Iterator[Entry]:
    shown = Club.objects.filter(listed_at__isnull=False, pk__gte=numbers.start, pk__lt=numbers.stop)
    for club in shown.order_by("pk"):
        yield club.get_absolute_url(), None


def _kept(name: str, make: Callable[[], bytes]) -> bytes:
    """Return the cached value, or make and cache it unless it is empty: any number of empty parts can be requested."""
    key = f"sitemap:{settings.SITE_URL}:{name}"
    kept: bytes | None = cache.get(key)
    if kept is None:
        kept = make()
        if b"<loc>" in kept:
            cache.set(key, kept, _KEPT)
    return kept


def _answer(text: bytes) -> HttpResponse:
    return HttpResponse(text, content_type="application/xml")


def _written(root: str, name: str, entries: Iterable[Entry]) -> bytes:
    whole = Element(root, {"xmlns": _NAMESPACE})
    for address, at in entries:
        entry = SubElement(whole, name)
        SubElement(entry, "loc").text = settings.SITE_URL + address
        if at:
            SubElement(entry, "lastmod").text = at.date().isoformat()
    return bytes(tostring(whole, encoding="utf-8", xml_declaration=True))


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Answer `robots.txt`: where the site map is, and which pages are not for search engines."""
    lines = [
        "User-agent: *",
        "Disallow: /api/v1/",
        "Disallow: /account/",
        "Disallow: /uploads/",
        "Disallow: /openings/*?",
        "Disallow: /*.csv$",
        "Disallow: /*.json$",
        "Disallow: /*.ics$",
        "",
    ]
    lines += [f"Sitemap: {settings.SITE_URL}{reverse('sitemap')}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
