"""Moderators are a group, and a command puts people there."""

from io import StringIO

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User
from django.core.management import CommandError, call_command

from games.models import Act
from games.platform.roles import is_moderator


def again(user: User) -> User:
    """The same account, as the next request sees it."""
    return User.objects.get(pk=user.pk)


def call(*arguments: str) -> str:
    out = StringIO()
    call_command("make_moderator", *arguments, stdout=out)
    return out.getvalue().strip()


def test_nobody_moderates_unasked(alice: User) -> None:
    assert not is_moderator(alice)
    assert not is_moderator(AnonymousUser())


def test_a_moderator_is_made_and_unmade(alice: User) -> None:
    assert call("ALICE") == "alice is a moderator."
    assert is_moderator(again(alice))
    assert call("alice", "--remove") == "alice is no longer a moderator."
    assert not is_moderator(again(alice))


def test_both_are_written_down_once(alice: User) -> None:
    for arguments in (("alice",), ("alice",), ("alice", "--remove"), ("alice", "--remove")):
        call(*arguments)
    acts = list(Act.objects.order_by("pk"))
    assert [act.kind for act in acts] == ["moderator-named", "moderator-dismissed"]
    assert [(act.by_id, act.params) for act in acts] == [(None, {"account": alice.pk})] * 2


def test_the_group_comes_back_when_somebody_removed_it(alice: User) -> None:
    Group.objects.all().delete()
    call("alice")
    assert is_moderator(again(alice))


def test_an_account_that_is_closed_moderates_no_more(alice: User) -> None:
    call("alice")
    alice.is_active = False
    alice.save()
    assert not is_moderator(again(alice))


@pytest.mark.django_db
def test_a_name_that_is_none_is_told() -> None:
    with pytest.raises(CommandError, match=r"^No account has the name 'eve'\.$"):
        call("eve")
