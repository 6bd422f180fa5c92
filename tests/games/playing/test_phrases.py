"""Phrases instead of a chat: few, translated, and only from those who sit at the table."""

from datetime import datetime

import pytest
from django.utils import translation

from games.playing import phrases
from games.playing.errors import PlayError
from games.playing.phrases import PHRASES
from games.web.play.table import table_page
from tests.games.playing.seating import guests, seated

pytestmark = pytest.mark.django_db


def test_a_phrase_is_shown_to_each_reader_in_their_language(now: datetime) -> None:
    people = guests(2)
    table = phrases.send(seated(people, now).key, people[0], "well-played", now=now)
    for language, name, sentence in (("en", "Guest (1)", "Well played!"), ("de", "Gast (1)", "Gut gespielt!")):
        with translation.override(language):
            page = table_page(table, people[1])
            assert [(said.name, str(said.sentence)) for said in page.said] == [(name, sentence)]
            assert len({str(offered) for _, offered in page.phrases}) == len(PHRASES) == 12


@pytest.mark.parametrize(
    ("who", "phrase", "why"),
    [(0, "Your mother …", "There is no phrase Your mother …. Use one of: hello, "), (2, "hello", "You have no seat")],
)
def test_other_texts_and_spectators_are_refused(who: int, phrase: str, why: str, now: datetime) -> None:
    people = guests(3)
    table = seated(people[:2], now)
    with pytest.raises(PlayError, match=why):
        phrases.send(table.key, people[who], phrase, now=now)


def test_phrases_are_limited_to_ten_a_minute(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now)
    for _ in range(10):
        phrases.send(table.key, people[0], "hello", now=now)
    with pytest.raises(PlayError, match="Too many phrases at once"):
        phrases.send(table.key, people[0], "hello", now=now)
    phrases.send(table.key, people[1], "hello", now=now)
