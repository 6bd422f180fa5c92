"""A table is opened and joined, the game is dealt and played to its end, and its record is verified."""

from datetime import datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.db import IntegrityError, connection
from django.test import Client

from engine.dealing import PROVED
from engine.verify import verify_bytes
from games import run
from games.accounts.deletion import delete_account
from games.mail.delivery import send_due
from games.models import Acceptance, Table, TableAction, TableAlarm
from games.moderation.moderators import make_moderator
from games.playing import acting, dealing, leaving, opening
from games.playing.errors import ConflictError, IllegalError, PlayError
from games.playing.finishing import raise_alarm, record_of
from games.playing.opening import Addition, TableOptions
from games.playing.reads.people import NOBODY, Person
from games.playing.reads.position import position_of, tokens_of
from games.playing.reads.seats import seats_of
from tests.games.judging import judge_all
from tests.games.playing.seating import RULESETS, accounts, fresh, guests, lay_setup, play, seated, whose_turn
from tests.tiers import first_quick

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("ruleset", first_quick(RULESETS, 2))
def test_finished_game_is_verified_with_a_proved_deal(ruleset: str, now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now, ruleset), people, now)
    assert table.state == Table.State.FINISHED

    judge_all(now)
    run.rate_waiting(now=lambda: now)
    game = fresh(table).game
    assert game
    assert game.verdict == "verified"
    [verdict] = verify_bytes(record_of(table, tokens_of(table)).encode())
    assert verdict.dealing
    assert verdict.dealing.status == PROVED
    assert not TableAlarm.objects.exists()


@pytest.mark.full
@pytest.mark.parametrize("places", first_quick([3, 4]))
def test_table_for_three_or_four_players_is_verified(places: int, now: datetime) -> None:
    people = guests(places)
    table = play(seated(people, now), people, now, chance=places)
    [verdict] = verify_bytes(record_of(table, tokens_of(table)).encode())
    assert verdict.verdict == "verified"
    assert verdict.dealing
    assert verdict.dealing.status == PROVED


def test_commitment_is_published_before_joining_and_the_secret_only_at_the_end(now: datetime) -> None:
    people = guests(2)
    table = opening.open_table(TableOptions(ruleset="army-ants"), people[0], now=now)
    assert len(table.commitment) == 64
    assert not table.seats.exists()
    for person in people:
        opening.join(table.key, person, Addition("x"), now=now)
    assert "secret" not in str(list(table.events.values_list("body", flat=True)))
    leaving.resign(table.key, whose_turn(fresh(table), people), now=now)
    [end] = table.events.filter(kind="ended")
    assert len(end.body["secret"]) == 64


def test_events_are_numbered_without_gaps(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now), people, now, most=7)
    numbers = list(table.events.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, table.last_event + 1))


def test_table_row_shows_the_drawn_card_but_not_the_secret(now: datetime) -> None:
    table = seated(guests(2), now)
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(t)::text FROM games_table AS t WHERE id = %s", [table.pk])
        [row] = cursor.fetchone()
    secret, deck = dealing.secret_of(table), dealing.card_at(table, 0)
    assert deck
    assert secret not in row
    assert table.drawn == deck, "the first card lies open"


def test_an_action_for_another_ply_is_refused_with_the_ply_that_is_due(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now), people, now, most=3)
    with pytest.raises(ConflictError, match=r"meant for ply 2, but the game is at ply 3"):
        acting.act(table.key, whose_turn(table, people), ply=2, token="/", now=now)


def test_repeated_request_key_plays_the_action_once(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now)
    person, token = whose_turn(table, people), position_of(table).legal(table.drawn)[0]
    for again in (False, True):
        acted = acting.act(table.key, person, ply=0, token=token, request_key="k", now=now)
        assert (acted.again, acted.table.plies) == (again, 1)
    with pytest.raises(ConflictError, match="used for another action"):
        acting.act(table.key, person, ply=0, token="/", request_key="k", now=now)


def test_action_with_a_card_that_was_not_drawn_is_rejected(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now)
    others = set(position_of(table).legal("")) - set(position_of(table).legal(table.drawn))
    with pytest.raises(IllegalError, match=f"The next card is {table.drawn[:2]}"):
        acting.act(table.key, whose_turn(table, people), ply=0, token=min(others), now=now)
    assert fresh(table).plies == 0


def test_an_illegal_action_names_the_rule(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now, "army-ants")
    with pytest.raises(IllegalError, match="is not an action of Army Ants") as refused:
        acting.act(table.key, whose_turn(table, people), ply=0, token="hello", now=now)
    assert refused.value.rule == "AGN-MOVE-1"


def test_action_by_a_player_not_to_act_is_rejected(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now)
    token = position_of(table).legal(table.drawn)[0]
    for person in (*(one for one in people if one != whose_turn(table, people)), NOBODY):
        with pytest.raises(ConflictError, match="not your turn"):
            acting.act(table.key, person, ply=0, token=token, now=now)


def test_the_first_player_of_2003_lays_the_ring_with_the_cards_dealt(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now, "atta-ants-2003")
    assert not table.setup
    with pytest.raises(IllegalError, match="must use the cards dealt"):
        acting.act(table.key, whose_turn(table, people), ply=-1, token="NE NE", now=now)
    table = lay_setup(table, people, now)
    assert sorted(table.setup) != []
    assert table.drawn


def test_the_oldest_begins_in_2003_and_years_of_birth_are_removed(now: datetime) -> None:
    people = guests(3)
    table = opening.open_table(TableOptions(ruleset="atta-ants-2003", places=3), people[0], now=now)
    for person, born in zip(people, (1990, 1950, 2001), strict=True):
        opening.join(table.key, person, Addition("x", born=born), now=now)
    assert whose_turn(fresh(table), people) == people[1]
    assert not table.seats.exclude(born=None).exists()


# Time


def test_worker_ends_a_game_when_time_runs_out(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now, time_kind="minutes", time_base=60, time_step=5)
    assert leaving.time_out_due(now=now + timedelta(seconds=59)) == 0
    assert leaving.time_out_due(now=now + timedelta(seconds=60)) == 1
    table = fresh(table)
    assert (table.state, table.termination, tokens_of(table)) == ("finished", "timed_out", ("timeout:R",))


def test_late_action_loses_on_time_without_a_worker(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now, time_kind="days", time_base=86400)
    token = position_of(table).legal(table.drawn)[0]
    with pytest.raises(ConflictError, match="time was up"):
        acting.act(table.key, whose_turn(table, people), ply=0, token=token, now=now + timedelta(days=1))
    assert fresh(table).termination == "timed_out"


def test_turn_uses_its_time_and_gets_the_increment_once(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now, "army-ants", time_kind="minutes", time_base=60, time_step=5)
    letter, later = table.turn, now + timedelta(seconds=20)
    table = play(table, people, later, most=1)
    assert table.turn != letter
    assert table.seats.get(letter=letter).clock == 45_000
    assert table.deadline == later + timedelta(seconds=60)


@pytest.mark.full
def test_one_of_four_drops_out_and_the_others_play_on(now: datetime) -> None:
    people = guests(4)
    table = play(seated(people, now, time_kind="days", time_base=86400), people, now, most=5)
    assert leaving.time_out_due(now=now + timedelta(days=1)) == 1
    table = fresh(table)
    assert table.state == "playing"
    assert table.seats.exclude(left_at=None).count() == 1
    assert play(table, people, now + timedelta(days=1)).state == "finished"


# Leaving


@pytest.mark.parametrize("ruleset", RULESETS)
def test_resignation_out_of_turn_ends_a_game_of_two_at_once(ruleset: str, now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now, ruleset), people, now, most=3)
    waiting = next(person for person in people if person != whose_turn(table, people))
    letter = next(seat.letter for seat in seats_of(table) if waiting.sits_in(seat))
    table = leaving.resign(table.key, waiting, now=now)
    assert (table.state, table.termination) == ("finished", "resigned")
    assert table.placements
    assert table.placements[table.seats_line.split(" ").index(letter)] == 2
    judge_all(now)
    run.rate_waiting(now=lambda: now)
    assert fresh(table).game
    assert f"resign:{letter}" in record_of(table, tokens_of(table))


def test_resignation_out_of_turn_of_three_leaves_the_turn_and_its_clock_to_the_others(now: datetime) -> None:
    people = guests(3)
    minutes = {"time_kind": "minutes", "time_base": 600}
    table = play(seated(people, now, "atta-ants-online", **minutes), people, now, most=2)
    turn = table.turn
    waiting = next(person for person in people if person != whose_turn(table, people))
    table = leaving.resign(table.key, waiting, now=now + timedelta(seconds=10))
    assert (table.state, table.turn) == ("playing", turn)
    clocks = {seat.letter: seat.clock for seat in seats_of(table)}
    assert clocks[turn] == 590_000
    assert table.deadline == now + timedelta(seconds=600)
    with pytest.raises(ConflictError, match="has resigned"):
        leaving.resign(table.key, waiting, now=now)
    assert table.events.filter(kind="act").latest("number").body["token"].startswith("resign:")


def test_resigning_when_the_other_has_run_out_of_time_wins(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now, "army-ants", time_kind="minutes", time_base=60), people, now, most=2)
    waiting = next(person for person in people if person != whose_turn(table, people))
    turn = table.turn
    table = leaving.resign(table.key, waiting, now=now + timedelta(minutes=2))
    assert table.termination == "timed_out"
    assert table.placements
    assert table.placements[table.seats_line.split(" ").index(turn)] == 2


def test_a_draw_is_offered_and_accepted(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now, "army-ants"), people, now, most=2)
    leaving.draw(table.key, people[0], now=now)
    table = leaving.draw(table.key, people[1], now=now)
    assert (table.placements, table.termination) == ([1, 1], "agreed")


def test_a_draw_offer_lapses_as_the_turn_of_who_made_it_begins(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now, "ant-trails-2020"), people, now, most=4)
    mover = whose_turn(table, people)
    letter = table.turn
    leaving.draw(table.key, mover, now=now)
    while (table := play(table, people, now, most=1)).turn == letter:
        assert table.draw_offered == letter, "one's own turn goes on"
    while table.turn != letter:
        assert table.draw_offered == letter, "the other may accept throughout the turn"
        table = play(table, people, now, most=1)
    assert not table.draw_offered


def test_a_draw_offer_can_be_withdrawn_and_made_again(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now, "army-ants"), people, now, most=2)
    leaving.draw(table.key, people[0], now=now)
    assert not leaving.draw(table.key, people[0], accept=False, now=now).draw_offered
    assert table.events.filter(kind="draw-withdrawn").exists()
    with pytest.raises(ConflictError, match="No draw is offered"):
        leaving.draw(table.key, people[1], accept=False, now=now)
    assert leaving.draw(table.key, people[0], now=now).draw_offered


def test_a_draw_offer_goes_when_somebody_resigns(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now, "army-ants"), people, now, most=2)
    leaving.draw(table.key, people[0], now=now)
    assert not leaving.resign(table.key, people[0], now=now).draw_offered


@pytest.mark.parametrize("ruleset", RULESETS)
def test_game_without_moves_can_be_aborted_and_reveals_its_secret(ruleset: str, now: datetime) -> None:
    people = guests(2)
    table = leaving.abort(seated(people, now, ruleset).key, people[1], now=now)
    judge_all(now)
    run.rate_waiting(now=lambda: now)
    game = fresh(table).game
    assert game
    assert game.verdict == "unfinished"
    assert 'Termination "aborted"' in record_of(table, ())
    assert "DealingSecret" in record_of(table, ())
    assert not TableAlarm.objects.exists()


def test_game_with_moves_cannot_be_aborted(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now), people, now, most=1)
    with pytest.raises(ConflictError, match="Somebody has moved"):
        leaving.abort(table.key, people[0], now=now)


# Rated games


def test_rated_game_is_rated_at_once_for_the_seated_accounts(now: datetime) -> None:
    people = accounts(2)
    table = play(seated(people, now, "army-ants", rated=True), people, now, most=20)
    if table.state == Table.State.PLAYING:  # a random deal may end this early
        leaving.resign(table.key, whose_turn(table, people), now=now)
    judge_all(now)
    run.rate_waiting(now=lambda: now)
    accepted = Acceptance.objects.get(game=fresh(table).game)
    assert (accepted.number, accepted.counts) == (1, True)
    assert set(accepted.game.confirmations.values_list("how", flat=True)) == {"seat"}


def test_rated_table_cannot_be_joined_without_an_account(now: datetime) -> None:
    [ada] = accounts(1)
    table = opening.open_table(TableOptions(ruleset="army-ants", rated=True), ada, now=now)
    opening.join(table.key, ada, Addition("x"), now=now)
    for person in (*guests(1), Person(bot="greedy")):
        with pytest.raises(PlayError, match="Rated games need an account"):
            opening.join(table.key, person, Addition("y"), now=now)


def test_training_game_is_never_rated(now: datetime) -> None:
    people = accounts(2)
    table = play(seated(people, now, "army-ants"), people, now, most=1)
    leaving.resign(table.key, whose_turn(table, people), now=now)
    judge_all(now)
    run.rate_waiting(now=lambda: now)
    assert not Acceptance.objects.exists()


# Joining


def test_table_for_invited_players_rejects_other_accounts(now: datetime) -> None:
    ada, bruno, cleo = accounts(3)
    assert bruno.account
    table = opening.open_table(
        TableOptions(ruleset="army-ants", visibility="names", invited=[bruno.account]), ada, now=now
    )
    opening.join(table.key, ada, Addition("x"), now=now)
    with pytest.raises(PlayError, match="for invited players"):
        opening.join(table.key, cleo, Addition("y"), now=now)
    assert opening.join(table.key, bruno, Addition("y"), now=now).name == "Bruno"


def test_bot_joins_with_the_opener_and_cannot_influence_the_deal(now: datetime) -> None:
    [person] = guests(1)
    table = opening.open_table(TableOptions(ruleset="ant-trails-2020", bots=["greedy"]), person, now=now)
    opening.join(table.key, person, Addition("mine"), now=now)
    table = fresh(table)
    assert table.state == "playing"
    assert list(table.seats.order_by("joined").values_list("name", "entropy")) == [
        ("Guest (1)", "mine"), ("greedy bot (1)", "bot")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ruleset", "places", "first"),
    [("atta-ants-online", 2, "opener"), ("atta-ants-online", 3, "drawn"), ("atta-ants-2003", 2, "oldest")],
)
def test_the_edition_says_who_begins(ruleset: str, places: int, first: str, now: datetime) -> None:
    table = seated(guests(places), now, ruleset)
    assert table.first == first
    begins = table.seats.get(letter=table.seats_line.split(" ")[0])
    assert begins.joined == 0 or first != "opener"


@pytest.mark.full
def test_one_person_plays_all_seats_on_a_shared_screen(now: datetime) -> None:
    [person] = guests(1)
    table = opening.open_table(TableOptions(ruleset="atta-ants-online", places=3, hot_seat=True), person, now=now)
    opening.join(table.key, person, Addition("x"), now=now)
    assert play(fresh(table), [person], now).state == "finished"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"ruleset": "chess"}, "There is no ruleset chess"),
        ({"ruleset": "army-ants", "places": 3}, "Army Ants is for 2 players, not for 3"),
        ({"ruleset": "atta-ants-online", "first": "drawn"}, "chosen in another way: opener"),
        ({"ruleset": "army-ants", "time_kind": "minutes"}, "base time must be 1 to"),
        ({"ruleset": "army-ants", "time_base": 5}, "without a time limit"),
        ({"ruleset": "army-ants", "rated": True}, "Rated games need an account"),
        ({"ruleset": "army-ants", "bots": ["a", "b"]}, "at most 1 bots"),
    ],
)  # fmt: skip
def test_options_that_do_not_fit_are_refused_with_the_reason(
    options: dict[str, object], why: str, now: datetime
) -> None:
    with pytest.raises(PlayError, match=why):
        opening.open_table(TableOptions(**options), guests(1)[0], now=now)  # type: ignore[arg-type]


def test_a_table_that_is_cancelled_shows_its_secret(now: datetime) -> None:
    people = guests(2)
    table = opening.open_table(TableOptions(ruleset="army-ants"), people[0], now=now)
    with pytest.raises(PlayError, match="Only the player who opened"):
        opening.cancel(table.key, people[1], now=now)
    opening.cancel(table.key, people[0], now=now)
    assert "secret" in table.events.get(kind="cancelled").body


# What should never happen


@pytest.mark.full
def test_illegal_altered_action_ends_the_game_with_an_alarm(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now), people, now, most=6)
    TableAction.objects.filter(table=table, ply=2).update(token="R6:NN")
    with pytest.raises(ConflictError, match="stored moves were altered"):
        acting.act(table.key, whose_turn(table, people), ply=6, token="/", now=now)
    judge_all(now)
    run.rate_waiting(now=lambda: now)
    table = fresh(table)
    assert table.game
    assert table.game.verdict == "rejected"
    assert table.alarms.get().kind == "not-verified"


def test_legal_altered_action_raises_an_alarm(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now, "army-ants")
    one, other = position_of(table).legal("")[:2]
    acting.act(table.key, whose_turn(table, people), ply=0, token=one, now=now)
    TableAction.objects.filter(table=table).update(token=other)
    leaving.resign(table.key, whose_turn(fresh(table), people), now=now)
    assert table.alarms.get().kind == "altered"


def test_broken_deal_raises_an_alarm(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now, "army-ants"), people, now, most=1)
    table.seats.filter(joined=1).update(entropy="another")
    leaving.resign(table.key, whose_turn(table, people), now=now)
    judge_all(now)
    run.rate_waiting(now=lambda: now)
    alarm = table.alarms.get()
    assert (alarm.kind, alarm.message[:5]) == ("dealing-broken", "DEAL-")


def test_the_database_refuses_two_actions_of_one_ply(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now), people, now, most=1)
    with pytest.raises(IntegrityError, match="tableaction_once_a_ply"):
        TableAction.objects.create(table=table, ply=0, token="/", letter="R", at=now)


def test_the_database_refuses_an_account_twice_at_a_table(now: datetime, alice: User) -> None:
    table = seated(guests(2), now)
    table.seats.filter(joined=0).update(guest="", account=alice)
    with pytest.raises(IntegrityError, match="tableseat_one_an_account"):
        table.seats.filter(joined=1).update(guest="", account=alice)


# Accounts, mails and moderators


def test_deleted_account_resigns_its_games_and_loses_its_name_there(now: datetime) -> None:
    people = accounts(2)
    table = play(seated(people, now, "army-ants", rated=True), people, now, most=2)
    assert isinstance(people[0].account, User)
    delete_account(people[0].account, now=now)
    names = [*table.seats.values_list("name", flat=True), str(list(table.events.values_list("body", flat=True)))]
    assert "Ada" not in " ".join(names)
    assert fresh(table).state == "finished"


def test_idle_player_gets_one_mail_after_half_an_hour(now: datetime) -> None:
    people = accounts(2)
    for person in people:
        assert person.account
        address = f"{person.account}@ants.example"
        EmailAddress.objects.create(user=person.account, email=address, verified=True, primary=True)
    table = play(seated(people, now, "army-ants"), people, now, most=1)
    assert send_due(now=now + timedelta(minutes=29)) == 0
    assert send_due(now=now + timedelta(minutes=31)) == 1
    assert mail.outbox[0].subject == "Atta: your turn"
    assert f"/play/{table.key}/" in str(mail.outbox[0].body)


def test_player_who_acted_gets_no_reminder_mail(now: datetime) -> None:
    people = accounts(2)
    for person in people:
        assert person.account
        address = f"{person.account}@ants.example"
        EmailAddress.objects.create(user=person.account, email=address, verified=True, primary=True)
    table = play(seated(people, now, "army-ants"), people, now, most=1)
    leaving.resign(table.key, whose_turn(table, people), now=now)
    send_due(now=now + timedelta(minutes=31))
    assert mail.outbox == []


def test_moderators_see_an_alarm_until_one_closes_it(now: datetime, alice: User) -> None:
    make_moderator(alice, now=now)
    people, client = guests(2), Client()
    table = play(seated(people, now, "army-ants"), people, now, most=1)
    raise_alarm(table, TableAlarm.Kind.ALTERED, "Look at this.", now=now)
    client.force_login(alice)
    assert b"Look at this." in client.get("/moderation/").content
    assert client.get("/health").json()["alarms"] == 1
    client.post(f"/moderation/alarms/{table.alarms.get().pk}/")
    assert b"Look at this." not in client.get("/moderation/").content
