"""Light and dark themes."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_theme_choice_is_stored_and_redirects_back(client: Client) -> None:
    answer = client.post("/theme/", {"theme": "dark", "next": "/rules/?x=1"})
    assert (answer.status_code, answer["Location"]) == (303, "/rules/?x=1")
    assert '<html lang="en" data-theme="dark">' in client.get("/rules/").content.decode()


def test_without_a_choice_the_page_follows_the_system(client: Client) -> None:
    assert '<html lang="en">' in client.get("/rules/").content.decode()


@pytest.mark.parametrize("theme", ["", "pink", '"><script>'])
def test_unknown_theme_is_not_stored(client: Client, theme: str) -> None:
    assert "theme" not in client.post("/theme/", {"theme": theme}).cookies
    client.cookies["theme"] = theme
    assert '<html lang="en">' in client.get("/rules/").content.decode()


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""])
def test_theme_switch_never_redirects_to_another_site(client: Client, back: str) -> None:
    assert client.post("/theme/", {"theme": "light", "next": back})["Location"] == "/"


def test_theme_cannot_be_changed_by_a_link(client: Client) -> None:
    assert client.get("/theme/?theme=dark").status_code == 405
