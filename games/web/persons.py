"""Pictures of players: drawn from their numbers, so that a player's is the same on every page; nobody uploads any."""

from hashlib import sha256

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from engine.scene.persons import PATTERNS

COLOURS = ("red", "yellow", "orange", "brown", "black")
GRASSES = ("meadow", "moss", "sand")


def person(player: int, name: str, size: str = "") -> SafeString:
    """Return the picture of a player: an ant with the initial of the name. It is decorative: the name is beside it.

    :param size: a class besides, such as `large`.
    """
    drawn = sha256(f"player {player}".encode()).digest()
    return format_html(
        '<span class="person of-{} on-{} {}" data-initial="{}" aria-hidden="true">'
        '<svg><use href="{}#{}"/></svg></span>',
        COLOURS[drawn[0] % len(COLOURS)],
        GRASSES[drawn[1] % len(GRASSES)],
        size,
        initial(name),
        static("games/persons.svg"),
        PATTERNS[drawn[2] % len(PATTERNS)],
    )


def initial(name: str) -> str:
    """Return the first letter or digit of a name as a capital; nothing where it has none."""
    first = next(filter(str.isalnum, name), "")
    return first.upper()[:1]
