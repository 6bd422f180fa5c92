"""What takes long is counted for accounts, and for addresses of visitors, in one budget."""

from collections.abc import Callable, Iterator
from time import thread_time

import pytest
from django.contrib.auth.models import User
from django.http import StreamingHttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve
from knox.models import AuthToken
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from atta_site import work
from games.models import Throttle

pytestmark = pytest.mark.django_db
Call = Callable[..., APIClient]
LIST, PAGE = "/api/v1/games", "/games/"


@pytest.fixture(autouse=True)
def a_millisecond_a_minute(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every request count, and the first one be too much."""
    Throttle.objects.all().delete()
    rates = dict.fromkeys(SimpleRateThrottle.THROTTLE_RATES) | {"work": "1/minute"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    monkeypatch.setattr(work, "LEAST", 0)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_requests_beyond_the_budget_say_why_and_for_how_long(client: Client) -> None:
    refused = [client.get(LIST) for _ in range(2)][-1]

    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_much_work")
    assert 0 < int(refused["Retry-After"]) <= 60
    assert refused.json()["error"]["message"].startswith("Your requests took more than 0 seconds of computing")


def test_pages_and_api_share_the_budget(client: Client) -> None:
    assert client.get(LIST).status_code == 200

    page = client.get(PAGE)

    assert page.status_code == 429
    assert "Your requests took more than" in page.content.decode()


@pytest.mark.parametrize("path", ["/", "/about/", "/health", "/rules/", "/account/login/"])
def test_what_costs_little_is_always_answered(client: Client, path: str) -> None:
    assert [client.get(LIST).status_code for _ in range(2)] == [200, 429]

    assert client.get(path).status_code == 200


def test_an_account_has_one_budget_by_whatever_it_signs_in(alice: User, bob: User, client: Client) -> None:
    by_token = {"Authorization": f"Bearer {AuthToken.objects.create(alice)[1]}"}
    assert client.get(LIST, headers=by_token).status_code == 200

    client.force_login(alice)
    assert (client.get(PAGE).status_code, client.get(LIST, headers=by_token).status_code) == (429, 429)
    client.force_login(bob)
    assert client.get(PAGE).status_code == 200


def test_an_account_changes_nothing_for_visitors_at_its_address(alice: User, client: Client) -> None:
    client.force_login(alice)
    assert [client.get(PAGE).status_code for _ in range(2)] == [200, 429]

    client.logout()
    assert client.get(PAGE).status_code == 200


def test_forged_credentials_are_a_visitors(client: Client) -> None:
    answers = [client.get(PAGE, headers={"Authorization": f"Bearer forged{at}"}).status_code for at in range(3)]

    assert answers == [200, 429, 429]


def test_an_account_is_counted_where_nobody_is_asked_who_they_are(alice: User, client: Client) -> None:
    client.force_login(alice)
    draft = {"tags": {"Game": "Army Ants", "Rules": "standard", "Seats": "R B"}}
    sent = [client.post("/api/v1/positions", draft, content_type="application/json").status_code for _ in range(2)]

    assert sent[-1] == 429
    client.logout()
    assert client.get(PAGE).status_code == 200


def test_what_is_written_while_it_is_sent_counts(rf: RequestFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    request = rf.get("/")
    request.resolver_match = resolve(LIST)

    def pieces() -> Iterator[bytes]:
        for _ in range(3):
            begin = thread_time()
            while thread_time() < begin + 0.02:
                pass
            yield b"piece"

    middleware = work.Work(lambda _: StreamingHttpResponse(pieces()))
    monkeypatch.setattr(middleware, "_count", lambda _, milliseconds: counted.append(milliseconds))
    answer = middleware(request)
    assert not counted
    assert isinstance(answer, StreamingHttpResponse)
    assert answer.getvalue() == b"piecepiecepiece"
    assert sum(counted) >= 60


def test_a_long_answer_that_nobody_reads_on_counts_as_far_as_it_was_written(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    request, counted = rf.get("/"), list[int]()
    request.resolver_match = resolve(LIST)
    middleware = work.Work(lambda _: StreamingHttpResponse(iter([b"one", b"two"])))
    monkeypatch.setattr(middleware, "_count", lambda _, milliseconds: counted.append(milliseconds))
    answer = middleware(request)
    assert isinstance(answer, StreamingHttpResponse)
    assert next(iter(answer)) == b"one"
    answer.close()
    assert len(counted) == 1
