"""Caching: every address of the access matrix, requested by every viewer."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from knox.models import AuthToken

from tests.games.test_access import FORM, ROWS, VIEWERS, Row, World, address
from tests.tiers import by_tier, first_quick, share

pytestmark = pytest.mark.django_db

READ = [row for row in ROWS if row.method == "GET"]
Worlds = tuple[World, World]


def clients(cast: dict[str, User | None]) -> dict[str, Client]:
    """Return a client for every viewer."""
    made = {name: Client() for name in VIEWERS}
    for name, user in cast.items():
        if user:
            made[name].force_login(user)
    return made


def keeping(answer: Any) -> set[str]:
    return {word.strip() for word in answer.headers.get("Cache-Control", "").split(",")} - {""}


def varying(answer: Any) -> set[str]:
    return {word.strip() for word in answer.headers.get("Vary", "").split(",")}


def answers(
    rows: Sequence[Row], worlds: Worlds, ask: Callable[[str], Any], *, both: bool = False
) -> Iterator[tuple[str, Any]]:
    """Yield the responses in both worlds, or in the quick tier of each address in one."""
    for number, row in enumerate(rows):
        asked = worlds if both else share(worlds, number, of=2)
        for path in dict.fromkeys(address(row.name, world) for world in asked):
            yield f"{row.name} {path}", ask(path)


@pytest.mark.full
@pytest.mark.parametrize("viewer", first_quick(VIEWERS[1:]))
def test_responses_for_signed_in_users_are_never_cached(
    cast: dict[str, User | None], worlds: Worlds, viewer: str
) -> None:
    client, rows = clients(cast)[viewer], share(READ, VIEWERS.index(viewer), of=len(VIEWERS) - 1)
    kept = [
        name for name, answer in answers(rows, worlds, client.get) if not {"private", "no-store"} <= keeping(answer)
    ]
    assert kept == []


@pytest.mark.full
def test_responses_to_api_tokens_are_never_cached(cast: dict[str, User], worlds: Worlds) -> None:
    _, token = AuthToken.objects.create(cast["uploader"])
    client = Client(headers={"Authorization": f"Bearer {token}"})
    rows = [row for row in READ if row.name.startswith("api-")]
    assert [name for name, answer in answers(rows, worlds, client.get) if "no-store" not in keeping(answer)] == []


@pytest.mark.full
def test_form_responses_are_never_cached(cast: dict[str, User | None], worlds: Worlds) -> None:
    client = clients(cast)["uploader"]
    posted = [row for row in ROWS if row.method == "POST" and row.name not in {"account-delete", "account_logout"}]
    ask: Callable[[str], Any] = lambda path: client.post(path, b"", content_type=FORM)  # noqa: E731
    assert [name for name, answer in answers(posted, worlds, ask) if "no-store" not in keeping(answer)] == []


def test_responses_for_visitors_are_cached_only_with_vary_headers(cast: dict[str, User | None], worlds: Worlds) -> None:
    """A shared cache must never serve a visitor's page, or its absence, to a signed-in user."""
    wrong = []
    for name, answer in answers(READ, worlds, Client().get, both=by_tier(quick=False, full=True, long=True)):
        apart = {"Cookie", "Authorization"} <= varying(answer)
        if "no-store" not in keeping(answer) and (not apart or answer.cookies):
            wrong.append(name)
    assert wrong == []


@pytest.mark.parametrize(
    "begins",
    [
        "account",
        "mfa",
        "usersessions",
        "mails",
        "moderation",
        "claim",
        "upload-result",
        "api-upload",
        "api-account",
        "api-claim",
        "api-join",
    ],
)
def test_private_addresses_are_never_cached(worlds: Worlds, begins: str) -> None:
    rows = [row for row in READ if row.name.startswith(begins)]
    assert rows
    assert [name for name, answer in answers(rows, worlds, Client().get) if "no-store" not in keeping(answer)] == []


def test_static_files_are_cached_publicly_and_permanently(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = client.get("/").content.decode()
    style = re.findall(r'href="([^"]+\.css)"', page)[0]
    answer = client.get(style)
    answer.getvalue()  # all of it is read, which closes the file; `close()` would close the shared connection, too
    assert {"public", "immutable"} <= keeping(answer)
