"""The API description is generated once per language and format, and sent once to each reader."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from atta_site.description import DescriptionView

Browse = Callable[..., Client]
ADDRESS = "/api/v1/schema/"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Record how often a description is generated."""
    times: list[None] = []
    real = DescriptionView.generator_class

    def counted(**named: Any) -> Any:
        times.append(None)
        return real(**named)

    monkeypatch.setattr(DescriptionView, "generator_class", staticmethod(counted))
    monkeypatch.setattr(DescriptionView, "_made", {})
    return times


@pytest.mark.full
def test_api_description_is_generated_once_per_language_whatever_the_query(
    db: None, browse: Browse, made: list[None]
) -> None:
    asked = ("", "?lang=en", "?lang=xx", "?version=7", "?lang=de", "?lang=de&version=8")

    statuses = [browse().get(f"{ADDRESS}{query}").status_code for query in asked]

    assert (statuses, len(made)) == ([200, 200, 400, 400, 200, 400], 2)


def test_unchanged_api_description_returns_304(db: None, browse: Browse, made: list[None]) -> None:
    first = browse().get(ADDRESS)

    again = browse().get(ADDRESS, headers={"if-none-match": first["ETag"]})

    assert (first.status_code, again.status_code, again.content, again["ETag"]) == (200, 304, b"", first["ETag"])


@pytest.mark.full
def test_api_description_is_available_as_json_and_yaml(db: None, browse: Browse) -> None:
    forms = {"json": b"{", "yaml": b"openapi:"}

    answers = {form: browse().get(ADDRESS, {"format": form}) for form in forms}

    assert all(answers[form].content.startswith(begin) for form, begin in forms.items())
    assert {form: one["Content-Disposition"] for form, one in answers.items()} == {
        "json": 'inline; filename="Atta.json"',
        "yaml": 'inline; filename="Atta.yaml"',
    }
