"""Invitations in the API."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from games.models import Invitation
from tests.games.invitations.asking import evening, named

pytestmark = pytest.mark.django_db
Call = Callable[..., APIClient]


@pytest.fixture
def now() -> datetime:
    """Now: views read the clock."""
    return timezone.now()


def test_who_says_who_they_are_gets_a_link_for_the_others(alice: User, call: Call, now: datetime) -> None:
    upload, client = evening(alice, now), call(alice)
    (made,) = client.post(f"/api/v1/uploads/{upload.pk}/names", {"me": named("Ada").pk}).json()
    assert [(one["name"], one["state"]) for one in made["names"]] == [("Bruno", "open")]
    assert "/i/" in made["link"]
    listed = client.get("/api/v1/account/invitations").json()["invitations"]
    assert [one["id"] for one in listed] == [made["id"]]


def test_only_the_person_who_made_a_link_revokes_it(alice: User, mallory: User, call: Call, now: datetime) -> None:
    upload = evening(alice, now)
    call(alice).post(f"/api/v1/uploads/{upload.pk}/names", {"me": None})
    path = f"/api/v1/invitations/{Invitation.objects.order_by('pk')[0].pk}/revocation"
    assert call(mallory).post(path).status_code == 404
    answer = call(alice).post(path).json()
    assert (answer["link"], answer["names"][0]["state"]) == (None, "revoked")


def test_nobody_else_says_who_is_who(alice: User, mallory: User, call: Call, now: datetime) -> None:
    answer = call(mallory).post(f"/api/v1/uploads/{evening(alice, now).pk}/names", {"me": None})
    assert answer.json()["error"]["code"] == "not_uploader"
    assert call(alice).post(f"/api/v1/uploads/{evening(alice, now, games=1).pk}/names", {}).status_code == 400
