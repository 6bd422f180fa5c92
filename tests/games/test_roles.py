"""Moderators are a group, managed by a command."""

from io import StringIO

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User
from django.core.management import CommandError, call_command

from games.models import Act
from games.platform.roles import is_moderator


def again(user: User) -> User:
    """Return the same account as the next request sees it."""
    return User.objects.get(pk=user.pk)


def call(*arguments: str) -> str:
    out = StringIO()
    call_command("make_moderator", *arguments, stdout=out)
    return out.getvalue().strip()


def test_accounts_are_not_moderators_by_default(alice: User) -> None:
    assert not is_moderator(alice)
    assert not is_moderator(AnonymousUser())


def test_moderator_can_be_appointed_and_dismissed(alice: User) -> None:
    assert call("ALICE") == "alice is a moderator."
    assert is_moderator(again(alice))
    assert call("alice", "--remove") == "alice is no longer a moderator."
    assert not is_moderator(again(alice))


def test_appointment_and_dismissal_are_each_logged_once(alice: User) -> None:
    for arguments in (("alice",), ("alice",), ("alice", "--remove"), ("alice", "--remove")):
        call(*arguments)
    acts = list(Act.objects.order_by("pk"))
    assert [act.kind for act in acts] == ["moderator-named", "moderator-dismissed"]
    assert [(act.by_id, act.params) for act in acts] == [(None, {"account": alice.pk})] * 2


def test_deleted_moderator_group_is_created_again(alice: User) -> None:
    Group.objects.all().delete()
    call("alice")
    assert is_moderator(again(alice))


def test_deactivated_account_is_no_longer_a_moderator(alice: User) -> None:
    call("alice")
    alice.is_active = False
    alice.save()
    assert not is_moderator(again(alice))


@pytest.mark.django_db
def test_unknown_account_name_is_reported() -> None:
    with pytest.raises(CommandError, match=r"^No account has the name 'eve'\.$"):
        call("eve")
