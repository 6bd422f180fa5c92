"""Pages that take time to make are counted by address and account, as the API counts requests."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Throttle
from games.web.throttle import PageThrottle

Browse = Callable[..., Client]
PAGES = (
    *("/games/", "/games/00000000/", "/players/1/", "/players/1/games/1/", "/players/1/ladders/atta-ants/"),
    *("/leaderboards/", "/leaderboards/atta-ants/", "/leaderboards/atta-ants/games.ndjson"),
    *("/leagues/", "/leagues/nest/", "/leagues/nest/leaderboards/atta-ants/"),
)


@pytest.fixture(autouse=True)
def _two_a_minute(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    Throttle.objects.all().delete()  # whatever was asked before
    monkeypatch.setattr(PageThrottle, "THROTTLE_RATES", {"page": "2/minute"})


@pytest.mark.parametrize("path", PAGES)
def test_one_page_too_many_is_refused_with_when_to_come_again(browse: Browse, path: str) -> None:
    answers = [browse().get(path) for _ in range(3)]

    assert [answer.status_code == 429 for answer in answers] == [False, False, True]
    assert 0 < int(answers[2]["Retry-After"]) <= 60
    assert "Pages that your address asks for are counted" in answers[2].content.decode()


def test_pages_are_counted_together_and_an_account_by_itself(browse: Browse, alice: User) -> None:
    assert [browse().get(path).status_code for path in ("/games/", "/leaderboards/", "/leagues/")] == [200, 200, 429]
    assert browse(alice).get("/games/").status_code == 200


@pytest.mark.parametrize("path", ["/", "/rules/", "/upload/", "/account/login/"])
def test_pages_that_take_no_time_are_not_counted(browse: Browse, path: str) -> None:
    assert [browse().get(path).status_code for _ in range(4)] == [200] * 4


def test_the_refusal_is_in_german_too(browse: Browse) -> None:
    pages = [browse().get("/games/", headers={"accept-language": "de"}).content.decode() for _ in range(3)]

    assert "Seitenaufrufe werden je Adresse gezählt" in pages[2]
