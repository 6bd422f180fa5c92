"""Following players: whom an account follows, and who knows of it."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from games.accounts.deletion import delete_account
from games.accounts.reads.own_data import own_data
from games.models import Follow, Player
from games.players import following
from games.players.following import FollowError, follow, unfollow
from games.players.reads.following import is_following, latest_first, with_newest
from tests.games.evenings import merge, play, player

pytestmark = pytest.mark.django_db


def names(account: User) -> list[str]:
    return [one.player.name for one in with_newest(latest_first(account))]


def test_players_whose_newest_game_counted_last_come_first(alice: User, now: datetime) -> None:
    play([(("Ada", "Bruno"), (1, 2)), (("Cleo", "Dora"), (2, 1))], now)
    for name in ("Cleo", "Ada", "Zoe"):
        follow(player(name, now), alice, now=now)
    follow(player("Cleo", now), alice, now=now)
    first, second, third = with_newest(latest_first(alice))
    assert [one.player.name for one in (first, second, third)] == ["Cleo", "Ada", "Zoe"]
    assert [one.newest and (one.newest.number, one.newest.place) for one in (first, second, third)] == [
        (2, 2), (1, 1), None,
    ]  # fmt: skip


def test_a_followed_player_who_is_merged_is_followed_as_the_remaining_one(alice: User, now: datetime) -> None:
    play([(("Ada", "Bruno"), (1, 2)), (("Adah", "Bruno"), (1, 2))], now)
    for name in ("Ada", "Adah"):
        follow(player(name, now), alice, now=now)
    merge("Adah", "Ada", now)
    assert names(alice) == ["Ada"]
    assert is_following(player("Adah", now), alice)
    unfollow(player("Ada", now), alice)
    assert not Follow.objects.exists()


def test_nobody_follows_their_own_player_or_more_than_the_limit(
    alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    Player.objects.filter(pk=player("Alice", now).pk).update(account=alice)
    with pytest.raises(FollowError, match="This is your own player"):
        follow(player("Alice", now), alice, now=now)
    monkeypatch.setattr(following, "MOST", 1)
    follow(player("Ada", now), alice, now=now)
    with pytest.raises(FollowError, match="You follow 1 players, which is the limit"):
        follow(player("Bruno", now), alice, now=now)


def test_deleting_an_account_ends_following_on_both_sides(alice: User, bob: User, now: datetime) -> None:
    Player.objects.filter(pk=player("Bob", now).pk).update(account=bob)
    follow(player("Bob", now), alice, now=now)
    follow(player("Ada", now), bob, now=now)
    delete_account(bob, now=now)
    assert not Follow.objects.exists()


def test_own_data_lists_whom_the_account_follows_and_not_who_follows_it(alice: User, bob: User, now: datetime) -> None:
    Player.objects.filter(pk=player("Bob", now).pk).update(account=bob)
    follow(player("Bob", now), alice, now=now)
    assert [row["player__name"] for row in own_data(alice, now=now)["following"]] == ["Bob"]
    assert list(own_data(bob, now=now)["following"]) == []
