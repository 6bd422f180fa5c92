"""A number before a noun needs a singular form where it can be one."""

import re

from tests.catalogue import ROOT, messages

_NOUNS = (
    "records|games|players|files|actions|entries|rows|accounts|minutes|seconds|days|hours|boards|names|seats|uploads|"
    "claims|plies|rounds|leaves|codes|lines|flags|disputes|bytes|tokens|people|clubs|mails|words|cells|cards|tiles|"
    "ants|spiders|trails|steps|turns|moves|characters|attempts|opponents|spaces"
)
_COUNTED = re.compile(rf"(?:\{{(?!account)[a-z_]+\}}|%\((?!by)[a-z_]+\)s)(?:</\w+>)? (?:{_NOUNS})\b")
_NEVER_ONE = re.compile(
    r"[Aa]t most|[Uu]p to \{most\}|^\{n\} files$"
    r"|[Mm]ore than|fewer than|younger than|covers the next|^\{most\} (?:bytes|lines)$"
    r"|[Ww]ithin a (?:day|week)|[01] to|are allowed|^None of|^\{game\} has \{seats\} seats"
    r"|^\{game\} is for \{places\} players|which is the limit|^Table of|^Next action in all|^every \{number\} actions$"
    r"|^These are \{count\} tokens, with"
)
"""Messages that name a limit far above one, or a number that is never one."""
CATALOGUE = ROOT / "games" / "locale" / "de" / "LC_MESSAGES" / "django.po"


def test_every_counted_message_has_a_singular_form() -> None:
    single = (one.sentences[0] for one in messages(CATALOGUE) if "\0" not in one.key)
    counted = {text for text in single if _COUNTED.search(text) and not _NEVER_ONE.search(text)}
    assert counted == set()
