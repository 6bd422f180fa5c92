"""How names and words of comments are searched for: without case, accents, apostrophes and kinds of dashes.

The functions are the database's own (migration `0076_names_by_words`), so that an index and a search agree.
"""

from django.contrib.postgres.search import SearchQueryField, SearchVectorField
from django.db.models import BooleanField, F, Func, TextField, Value
from django.db.models.expressions import Combinable


class Folded(Func):
    """A name in the form in which it is compared with what somebody looks for."""

    function = "games_folded"
    output_field = TextField()


class FoldedWords(Func):
    """The words of a folded name, as an index keeps them."""

    function = "games_words"
    output_field = SearchVectorField()


COMMENT_WORDS = "to_tsvector('simple', left(normalize(games_folded({text}), NFC), 150000))"
"""The words of a comment as they are indexed; bounded, since some single characters are folded to many."""


class _WantedInComments(Func):
    """Words to look for in comments; quotation marks and minus signs, which folding drops, stand aside meanwhile."""

    template = r"""
websearch_to_tsquery('simple', translate(normalize(games_folded(
    translate(%(expressions)s, '"-', E'\uE000\uE001')), NFC), E'\uE000\uE001', '"-'))"""
    output_field = SearchQueryField()


class _Wanted(Func):
    function = "games_wanted_words"
    output_field = SearchQueryField()


class _Matches(Func):
    template = "%(expressions)s"
    arg_joiner = " @@ "
    output_field = BooleanField()


class _Contains(Func):
    template = "strpos(%(expressions)s) > 0"
    output_field = BooleanField()


def has_words(field: str, text: str) -> Func:
    """Return the condition that words of a name begin with all the words of a text, in any order."""
    return _Matches(FoldedWords(F(field)), _Wanted(Value(text)))


def has_comment_words(field: str, text: str) -> Func:
    """Return the condition that the indexed words of comments fit a search in the form of `websearch_to_tsquery`."""
    return _Matches(F(field), _WantedInComments(Value(text)))


def has_part(folded: Combinable, text: str) -> Func:
    """Return the condition that a text is anywhere in a folded name."""
    return _Contains(folded, Folded(Value(text)))
