"""ETags and 304 responses of public pages and the API."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

pytestmark = pytest.mark.django_db


def mark(client: Client, path: str, **headers: str) -> str:
    return str(client.get(path, headers=headers).headers.get("ETag", ""))


@pytest.mark.parametrize("path", ["/", "/games/", "/rules/ant-trails/", "/leaderboards/", "/api/v1/games"])
def test_an_unchanged_public_page_or_response_returns_304_without_a_body(client: Client, path: str) -> None:
    answer = client.get(path, headers={"If-None-Match": mark(client, path)})
    assert (answer.status_code, answer.content) == (304, b"")
    assert {"Cookie", "Authorization"} <= {word.strip() for word in answer.headers["Vary"].split(",")}


def test_the_etag_depends_on_language_and_theme(client: Client) -> None:
    english, german = mark(client, "/rules/"), mark(client, "/rules/", **{"Accept-Language": "de"})
    client.cookies["theme"] = "dark"
    assert len({english, german, mark(client, "/rules/")}) == 3


def test_a_compressed_page_keeps_its_etag(client: Client) -> None:
    assert mark(client, "/rules/agn/", **{"Accept-Encoding": "gzip"}) == mark(client, "/rules/agn/") != ""


def test_shared_caches_keep_static_pages_and_revalidate_everything_else(client: Client) -> None:
    assert client.get("/rules/").headers["Cache-Control"] == "public, max-age=0, s-maxage=300"
    assert client.get("/games/").headers["Cache-Control"] == "public, max-age=0, no-cache"


@pytest.mark.parametrize("path", ["/upload/", "/play/", "/account/login/", "/nothing/"])
def test_forms_errors_and_personal_pages_have_no_etag(client: Client, path: str) -> None:
    assert mark(client, path) == ""


def test_signed_in_users_get_no_etag(client: Client) -> None:
    client.force_login(User.objects.create_user("ada"))
    assert mark(client, "/games/") == ""
    assert client.get("/games/").headers["Cache-Control"] == "private, no-store"
