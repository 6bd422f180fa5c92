"""Cookies of this site's own, over TLS with a prefix that keeps other hosts of the domain from setting them."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.cookies import without_prefix

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("theme=dark", "theme=dark"),
        ("__Host-theme=dark; language=de", "theme=dark; language=de"),
        ("theme=light; __Host-theme=dark;theme=light", "theme=dark"),
        ("__Host-sessionid=abc; __Host-others=1", "__Host-sessionid=abc; __Host-others=1"),
    ],
)
def test_prefix_is_taken_off_and_wins_over_a_cookie_without_it(sent: str, read: str) -> None:
    assert without_prefix(sent) == read
    assert without_prefix(read) == read


@pytest.mark.parametrize(
    ("path", "name", "chosen"),
    [("/theme/", "theme", "dark"), ("/language/", "language", "de"), ("/results/", "results", "hide")],
)
def test_choices_over_tls_are_kept_for_this_host_only(client: Client, path: str, name: str, chosen: str) -> None:
    (kept,) = client.post(path, {name: chosen}, secure=True).cookies.values()
    assert (kept.key, kept.value, kept["secure"], kept["path"], kept["domain"]) == (
        f"__Host-{name}",
        chosen,
        True,
        "/",
        "",
    )
    (plain,) = client.post(path, {name: chosen}).cookies.values()
    assert (plain.key, plain["secure"]) == (name, "")


@pytest.mark.parametrize("name", ["__Host-atta_guest", "atta_guest"])
def test_a_guest_is_known_by_the_cookie_of_today_and_by_that_of_an_earlier_version(client: Client, name: str) -> None:
    opened = client.post("/api/v1/tables", {"ruleset": "army-ants"}, "application/json", secure=True)
    token = client.cookies.pop("__Host-atta_guest").value
    assert (opened.status_code, opened.json()["guest_token"]) == (201, token)
    assert client.get("/api/v1/tables", {"which": "mine"}, secure=True).json() == []
    client.cookies[name] = token
    assert len(client.get("/api/v1/tables", {"which": "mine"}, secure=True).json()) == 1


def test_who_signs_out_leaves_no_guest_of_either_name(browse: Callable[..., Client], bob: User) -> None:
    answer = browse(bob).post("/account/logout/", secure=True)
    left = {name: kept["max-age"] for name, kept in answer.cookies.items() if name.endswith("atta_guest")}
    assert left == {"atta_guest": 0, "__Host-atta_guest": 0}
