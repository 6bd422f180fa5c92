"""User input is cut to what can be stored, whatever a program sends."""

from django.http import QueryDict

from games.web.parameters import MOST, text_from, texts_from


def test_long_text_is_truncated() -> None:
    fields = QueryDict(mutable=True)
    fields.setlist("reason", ["No.", "x" * (MOST + 1)])
    assert texts_from(fields, "reason") == ["No.", "x" * MOST]
    assert text_from(fields, "answer") == ""
