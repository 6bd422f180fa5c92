"""The card with which a link to a game is shown elsewhere: its picture, title and description."""

import json
from dataclasses import dataclass

from django.conf import settings
from django.http import Http404
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext

from engine.ruleset import Outcome
from engine.scene import CARD_SIZE, Card, CardSeat
from games.models import Game
from games.records.reads import pictures, replays
from games.records.reads.embedding import embed_code, title_of
from games.records.reads.visibility import Viewer
from games.sentences import translated
from games.web.dates import said_days
from games.web.labels import STAMPS
from games.web.rows import GameRow, SeatShown, row_of

_LOCALES = {"en": "en_GB", "de": "de_DE"}


@dataclass(frozen=True, slots=True)
class Preview:
    """What other sites show of a link to this page."""

    title: str
    description: str
    url: str
    picture: str
    width: int
    height: int
    picture_says: str
    locale: str
    other_locales: tuple[str, ...]
    oembed: str
    """Where a site that embeds the game learns how."""
    picture_url: str
    """Where pictures of single positions come from."""
    embed_url: str
    code: str
    """The HTML that shows it on another page."""
    data: SafeString
    """The same for search engines, as JSON that a page may contain."""


def won(first: list[str], players: int) -> str:
    """Return who won, in a sentence."""
    if len(first) == 1:
        return gettext("{player} won.").format(player=first[0])
    if len(first) == players:
        return gettext("Draw.")
    *others, last = first
    return gettext("{players} and {last} share first place.").format(players=", ".join(others), last=last)


def said_of(outcome: Outcome | None, seats: tuple[SeatShown, ...]) -> str:
    """Return who won a game and how it ended; empty without an outcome."""
    if outcome is None:
        return ""
    first = [seat.name for seat, place in zip(seats, outcome.placements, strict=True) if place == 1]
    return f"{won(first, len(seats))} {outcome.reason.render(translated)}"


def card_png(game: Game, viewer: Viewer, *, theme: str) -> bytes:
    """Return the card of a game. :raises Http404: when nothing of it could be played."""
    scenes = pictures.scenes_of(game, viewer)
    if not scenes:
        raise Http404
    row = row_of(game)
    outcome = replays.replay_of(replays.first_log(game, viewer)).outcome
    day = said_days(row.played) if row.played else ""
    verdict = capfirst(str(STAMPS[game.verdict].word))
    ending = said_of(outcome, row.seats)
    said = Card(
        above=" · ".join(filter(None, (row.ruleset, day))),
        seats=tuple(map(_seat, row.seats)),
        below=f"{verdict}. {ending}" if ending else f"{verdict}.",
    )
    return pictures.card_of(scenes, said, theme=theme)


def _seat(seat: SeatShown) -> CardSeat:
    colour = f"seat-{seat.colour}" if seat.colour else ""
    return CardSeat(seat.letter, colour, seat.name, str(seat.place_word), won=seat.place == 1)


def preview_of(game: Game, row: GameRow, ending: str) -> Preview:
    """Return how a link to a game is shown elsewhere."""
    title, ruleset = title_of(game), row.ruleset
    url, language = settings.SITE_URL + game.get_absolute_url(), get_language() or "en"
    picture = f"{settings.SITE_URL}{reverse('game-card', args=[game.key])}"
    description = f"{ruleset}: {ending}" if ending else ruleset
    width, height = CARD_SIZE
    return Preview(
        title=title,
        description=description,
        url=url,
        picture=picture,
        width=width,
        height=height,
        picture_says=gettext("The board at the end of the game, and who played"),
        locale=_LOCALES.get(language, "en_GB"),
        other_locales=tuple(locale for code, locale in _LOCALES.items() if code != language),
        oembed=f"{settings.SITE_URL}{reverse('api-oembed')}?{urlencode({'url': url})}",
        picture_url=reverse("api-game-picture", args=[game.key]),
        embed_url=reverse("game-embed", args=[game.key]),
        code=embed_code(game.key, title=escape(title)),
        data=_structured(game, row, {"name": title, "description": description, "url": url, "image": picture}),
    )


def _structured(game: Game, row: GameRow, said: dict[str, str]) -> SafeString:
    """Return the page's content as schema.org data."""
    logo = settings.SITE_URL + static("games/mark.svg")
    about = {
        "@context": "https://schema.org",
        "@type": "Game",
        **said,
        "genre": row.ruleset,
        "numberOfPlayers": {"@type": "QuantitativeValue", "value": len(row.seats)},
        "datePublished": game.received_at.date().isoformat(),
        "publisher": {"@type": "Organization", "name": "Atta", "logo": logo},
    }
    if game.played:
        about["dateCreated"] = str(game.played)
    text = json.dumps(about, ensure_ascii=False)
    for letter, escaped in (("<", "\\u003C"), (">", "\\u003E"), ("&", "\\u0026")):
        text = text.replace(letter, escaped)
    return mark_safe(text)  # noqa: S308 - nothing in it can end the element
