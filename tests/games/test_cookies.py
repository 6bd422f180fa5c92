"""Cookies of this site's own, over TLS with a prefix that keeps other hosts of the domain from setting them."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.http.cookie import parse_cookie
from django.test import Client

from games.cookies import without_prefix

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("theme=dark", "theme=dark"),
        ("__Host-theme=dark; language=de", "theme=dark; language=de"),
        ("theme=light;__Host-theme=dark;theme=light", "theme=dark"),
        ("__Host-sessionid=abc; __Host-others=1", "__Host-sessionid=abc; __Host-others=1"),
        ("theme = dark;\tlanguage=de", "theme = dark;\tlanguage=de"),
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


@pytest.mark.parametrize("blank", ["\xa0", "\x85", "\x1c", "\xe2\x80\x80", "\xc2\xa0"])
@pytest.mark.parametrize("name", ["__Host-sessionid", "__Host-atta_guest", "__Host-theme", "theme"])
def test_names_in_disguise_do_not_become_names_of_this_site(blank: str, name: str) -> None:
    own = f"__Host-{name.removeprefix('__Host-')}"
    sent = without_prefix(f"{own}=mine; {blank}{name}=other; {name}{blank}=other; {blank}=other;other")
    read = parse_cookie(sent.encode("latin-1").decode(errors="replace"))
    assert [*read.values()] == ["mine"]


def test_longest_cookies_do_not_grow() -> None:
    sent = "a=b;" * 2000
    assert len(without_prefix(sent)) <= len(sent)


def test_a_guest_over_tls_is_known_by_the_cookie_that_only_this_host_can_set(client: Client) -> None:
    opened = client.post("/api/v1/tables", {"ruleset": "army-ants"}, "application/json", secure=True)
    token = client.cookies["__Host-atta_guest"].value
    assert (opened.status_code, opened.json()["guest_token"]) == (201, token)
    assert len(client.get("/api/v1/tables", {"which": "mine"}, secure=True).json()) == 1
    client.cookies["atta_guest"] = client.cookies.pop("__Host-atta_guest").value
    assert client.get("/api/v1/tables", {"which": "mine"}, secure=True).json() == []
    assert len(client.get("/api/v1/tables", {"which": "mine"}).json()) == 1


def test_who_signs_out_leaves_no_guest_of_either_name(browse: Callable[..., Client], bob: User) -> None:
    answer = browse(bob).post("/account/logout/", secure=True)
    left = {name: kept["max-age"] for name, kept in answer.cookies.items() if name.endswith("atta_guest")}
    assert left == {"atta_guest": 0, "__Host-atta_guest": 0}
