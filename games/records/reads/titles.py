"""The titles of rulesets and ladders, in the reader's language."""

from django.utils.translation import gettext

from engine.registry import ruleset_by_slug
from games.models import Ladder


def ruleset_title(slug: str) -> str:
    """Return the title of a ruleset."""
    return gettext(ruleset_by_slug(slug).title)


def ladder_title(ladder: Ladder) -> str:
    """Return a ladder's title: the ruleset's, after the club's name if it is a club's."""
    title = ruleset_title(ladder.ruleset)
    return f"{ladder.club.name}: {title}" if ladder.club else title
