"""The tags that AGN defines, in one table: to add a tag, add one line here.

The canonical order, which tags are required, how long values may be, how dates are written and the JSON Schema all
follow from it. The tags with the players' names belong to each game; they come after `Seats`.
"""

from typing import Final, NamedTuple

SHORT: Final = 255
"""Characters of a tag's value; of tags without a line here, too."""
LONG: Final = 2_000


class KnownTag(NamedTuple):
    """A tag's purpose and its possible values."""

    name: str
    meaning: str
    required: bool = False
    """Whether every record has it (AGN-TAG-2)."""
    form: str = ""
    """`date`, `time` or `result` where the value has a form of its own; a definition of that name is in the schema."""
    setup: bool = False
    """Whether it says how the game begins: then it may be long, and it decides which game this is."""


KNOWN_TAGS: Final = (
    KnownTag("Game", "The game's name.", required=True),
    KnownTag("Rules", "The edition of the game's rules.", required=True),
    KnownTag("Seats", "The seats' letters in turn order, separated by single spaces.", required=True, form="seats"),
    KnownTag("Event", "The occasion, such as a tournament or a club evening."),
    KnownTag("Site", "Where the game was played: a place, or the address of a site."),
    KnownTag("Date", "The day of play where it was played.", form="date"),
    KnownTag("UTCDate", "The day of play in UTC.", form="date"),
    KnownTag("UTCTime", "The time at which play began, in UTC.", form="time"),
    KnownTag("Round", "The round of the event."),
    KnownTag("Deck", "The deck of a game that has one.", setup=True),
    KnownTag("Setup", "How the game begins, as its rules write it.", required=True, setup=True),
    KnownTag("Termination", "How the game ended, for people."),
    KnownTag("Result", "The same as the result below.", required=True, form="result"),
)
"""In canonical order. Tags without a line follow `Termination`, by name."""

BEFORE_PLAYERS: Final = tuple([tag.name for tag in KNOWN_TAGS[: [tag.form for tag in KNOWN_TAGS].index("seats") + 1]])
LAST: Final = KNOWN_TAGS[-1].name
AFTER_PLAYERS: Final = tuple([tag.name for tag in KNOWN_TAGS[len(BEFORE_PLAYERS) : -1]])
REQUIRED: Final = tuple([tag.name for tag in KNOWN_TAGS if tag.required])
SETUP_TAGS: Final = tuple([tag.name for tag in KNOWN_TAGS if tag.setup])
FORMAL: Final = frozenset([tag.name for tag in KNOWN_TAGS if tag.required or tag.form or tag.setup])
"""Those whose values are written by rule, not as people like."""
DATES: Final = tuple([tag.name for tag in KNOWN_TAGS if tag.form == "date"])
TIMES: Final = tuple([tag.name for tag in KNOWN_TAGS if tag.form == "time"])
