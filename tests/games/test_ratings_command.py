"""`manage.py ratings`: any altered cell of the ledger is found and named, and a rebuild repairs it."""

import json
from contextlib import suppress
from datetime import datetime
from io import StringIO
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.corrections.rerating import Instruction, order_annulment, order_merge, order_restoration, perform_waiting
from games.ladders.reads.leaderboard_query import Period
from games.ladders.snapshots import board_as_of, board_of
from games.models import Acceptance, Act, By, DayLedger, Game, Ladder, LeaderboardSnapshot, MoveLog, Player, RatingEvent
from games.ratings.acceptance import accept_due
from tests.games.fabricated import evenings, fabricate
from tests.tiers import by_tier

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS = 8
Cells = dict[str, tuple[str, str, str | None]]


def some(cells: Cells) -> Cells:
    """Return all cells; in the full tier two of each table, the first and the last, in the quick tier the first."""
    tables = {about: [name for name, cell in cells.items() if cell[1] == about] for _, about, _ in cells.values()}
    which = by_tier(quick=(0,), full=(0, -1), long=tuple(range(-len(cells), 0)))
    chosen = {name for names in tables.values() for at in which if at >= -len(names) for name in [names[at]]}
    return {name: cell for name, cell in cells.items() if name in chosen}


@pytest.fixture
def club(transactional_db: None, now: datetime) -> None:
    """Forty games; one annulled, one annulled and restored, and two players merged in between."""
    Player.objects.bulk_create(Player(name=f"Stranger {one}", source="elsewhere", created_at=now) for one in range(4))
    people = fabricate(evenings(40, PLAYERS, Random(5)), PLAYERS)
    accept_due(now=now, watch=False)
    games = list(Acceptance.objects.order_by("number"))
    one, other = Player.objects.get(pk=people[6]), Player.objects.get(pk=people[7])
    order_annulment(games[11], Instruction(None, "a joke", now))
    order_annulment(games[20], Instruction(None, "a joke", now))
    order_merge(one, other, Instruction(None, "the same", now))
    order_restoration(games[20], Instruction(None, "no joke", now))
    perform_waiting(now=now)
    fabricate(evenings(10, PLAYERS, Random(6)), PLAYERS, first=40)
    accept_due(now=now, watch=False)


def verify(*options: str) -> list[dict[str, object]]:
    """Return the flaws the command finds; its exit status is 1 when there are any."""
    out = StringIO()
    with suppress(SystemExit):
        call_command("ratings", "verify", "--json", *options, stdout=out)
        assert not out.getvalue()
    return [json.loads(line) for line in out.getvalue().splitlines()]


def alter(sql: str) -> None:
    """Alter rows with full rights to the database."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_ratingevent DISABLE TRIGGER append_only")
        cursor.execute(sql)
        assert cursor.rowcount > 0
        cursor.execute("ALTER TABLE games_ratingevent ENABLE TRIGGER append_only")


def rebuild() -> str:
    out = StringIO()
    call_command("ratings", "rebuild", "--reason", "The disk was old.", stdout=out)
    return out.getvalue()


def test_unaltered_ledger_passes_verification(club: None) -> None:
    out = StringIO()
    call_command("ratings", "verify", stdout=out)

    assert out.getvalue() == "Everything agrees: 50 games, 0 stored leaderboards, 0 ladders by day played.\n"
    assert rebuild() == "Nothing to repair.\n"


BY_DAY = {
    "mu": ("UPDATE games_dayrating SET mu = mu + 0.000001 WHERE position = 7", "rating by day played"),
    "day": ("UPDATE games_dayrating SET day = day + 1 WHERE position = 20", "rating by day played"),
    "gone": ("DELETE FROM games_dayrating WHERE position = 20", "rating by day played"),
    "undated": ("UPDATE games_dayledger SET undated = undated + 1", "ledger by day played"),
    "board": ("UPDATE games_snapshotrow SET rank = rank + 1", "board line"),
}


@pytest.mark.parametrize(("sql", "about"), BY_DAY.values(), ids=list(BY_DAY))
def test_what_does_not_follow_by_day_played_is_found_and_repaired(
    club: None, now: datetime, sql: str, about: str
) -> None:
    for number, game in Acceptance.objects.exclude(number=3).values_list("number", "game"):
        day = f"{2020 - (number or 0) // 12}-{(number or 0) % 12 + 1:02}-09"
        Game.objects.filter(pk=game).update(played_from=day, played_until=day)
    ladder = Ladder.objects.get()
    board_as_of(ladder, now.date(), By.PLAYED, now=now)
    assert verify("--boards", "all") == []
    alter(sql)
    assert {flaw["about"] for flaw in verify("--boards", "all")} >= {about}
    assert "Repaired" in rebuild()
    board_as_of(ladder, now.date(), By.PLAYED, now=now)
    assert verify("--boards", "all") == []
    assert DayLedger.objects.get().games + DayLedger.objects.get().undated == 49


OF_17 = "game_id = (SELECT game_id FROM games_acceptance WHERE number = 17)"
ENTRY = "UPDATE games_ratingevent SET {} WHERE number = 17 AND seat = 1 AND correction_id IS NULL"
LAST_CORRECTED = (
    "UPDATE games_ratingevent SET {} WHERE id = (SELECT max(id) FROM games_ratingevent WHERE correction_id IS NOT NULL)"
)
NOT_THERE = "SELECT min(id) + games_seating.seat FROM games_player WHERE source = 'elsewhere'"
CELLS = {
    "mu": (ENTRY.format("mu = mu + 0.000001"), "entry", "mu"),
    "sigma": (ENTRY.format("sigma = sigma + 0.000001"), "entry", "sigma"),
    "mu-before": (ENTRY.format("mu_before = mu_before - 0.000001"), "entry", "mu_before"),
    "sigma-before": (ENTRY.format("sigma_before = sigma_before - 0.000001"), "entry", "sigma_before"),
    "place": (ENTRY.format("place = 5 - place"), "entry", "place"),
    "player": (ENTRY.format("player_id = (SELECT min(id) FROM games_player) + 7"), "entry", "player_id"),
    "algorithm": (ENTRY.format("algorithm = 'elo'"), "entry", "algorithm"),
    "counts": (ENTRY.format("counts = NOT counts"), "entry", "counts"),
    "at": (ENTRY.format("at = at + interval '1 microsecond'"), "entry", "at"),
    "game": (ENTRY.format("game_id = game_id + 1"), "entry", "game_id"),
    "acceptance": (ENTRY.format("acceptance_id = acceptance_id + 1"), "entry", "acceptance_id"),
    "number": (ENTRY.format("number = 77"), "entry", None),
    "seat": (ENTRY.format("seat = 7"), "entry", None),
    "id": (ENTRY.format("id = (SELECT max(id) + 1 FROM games_ratingevent)"), "entry", "id"),
    "entry-gone": ("DELETE FROM games_ratingevent WHERE number = 17 AND seat = 1", "entry", None),
    "correction-entry": (LAST_CORRECTED.format("mu = mu - 0.000001"), "entry", "mu"),
    "accepted-at": (
        "UPDATE games_acceptance SET accepted_at = accepted_at - interval '1 hour' WHERE number = 50",
        "sequence", "accepted_at"),
    "sequence": ("UPDATE games_acceptance SET number = 1017 WHERE number = 17", "sequence", "number"),
    "annulled": ("UPDATE games_acceptance SET counts = true WHERE number = 12", "acceptance", "counts"),
    "not-annulled": ("UPDATE games_acceptance SET counts = false WHERE number = 13", "acceptance", "counts"),
    "changed": ("UPDATE games_correction SET changed = changed + 1", "correction", "changed"),
    "correction-order": (
        'UPDATE games_correction SET "order" = (SELECT max("order") + 1 FROM games_correction) WHERE "order" = 2',
        "sequence", "order"),
    "correction-after": ('UPDATE games_correction SET after = after - 1 WHERE "order" = 4', "sequence", "after"),
    "correction-done": (
        """UPDATE games_correction SET done_at = done_at + interval '1 microsecond' WHERE "order" = 4""",
        "entry",
        "at",
    ),
    "merged": ("UPDATE games_player SET merged_into_id = NULL", "player", "merged_into"),
    "seating-place": (f"UPDATE games_seating SET place = 5 - place WHERE seat = 0 AND {OF_17}", "seating", "place"),
    "seating-player": (f"UPDATE games_seating SET player_id = ({NOT_THERE}) WHERE {OF_17}", "seating", "player"),
    "digest": (f"UPDATE games_game SET digest = repeat('0', 64) WHERE {OF_17[5:]}", "game", "digest"),
    "standing": ("UPDATE games_standing SET mu = mu + 0.000001", "standing", "mu"),
    "standing-counts": ("UPDATE games_standing SET beaten = beaten + 1", "standing", "beaten"),
    "standing-newest": ("UPDATE games_standing SET last_number = last_number - 1", "standing", "last_number"),
    "standing-gone": ("DELETE FROM games_standing", "standing", None),
    "bucket": ("UPDATE games_rankbucket SET players = players + 1", "bucket", "players"),
    "bucket-gone": ("DELETE FROM games_rankbucket", "bucket", None),
    "best-rank": ("UPDATE games_bestrank SET rank = rank + 1", "best rank", "rank"),
    "best-rank-after": ("UPDATE games_bestrank SET number = number + 1", "best rank", "number"),
    "best-rank-gone": ("DELETE FROM games_bestrank", "best rank", None),
    "ladder": ("UPDATE games_ladder SET games = games - 1", "ladder", "games"),
}  # fmt: skip


@pytest.mark.parametrize(("sql", "about", "cell"), some(CELLS).values(), ids=some(CELLS))
def test_every_altered_cell_is_named_and_repaired(club: None, sql: str, about: str, cell: str | None) -> None:
    alter(sql)

    found = [flaw for flaw in verify() if flaw["about"] == about]
    assert found
    if cell:
        assert any(cell in (flaw["due"] or {}) for flaw in found)  # type: ignore[operator]
    if about == "entry" and "17" in sql and cell not in (None, "id"):
        assert len(found) == 1
        where = found[0]["where"]
        assert isinstance(where, dict)
        assert (where["number"], where["seat"]) == (17, 1)
        assert where["game"] == Acceptance.objects.get(number=17).game.key
    assert rebuild().startswith("Repaired: ")
    assert verify() == []
    assert Act.objects.get().reason == "The disk was old."


@pytest.mark.full
def test_finding_states_stored_and_expected_values(club: None) -> None:
    event = RatingEvent.objects.get(number=17, seat=1, correction=None)
    alter(ENTRY.format("mu = 1"))
    out = StringIO()

    with pytest.raises(SystemExit):
        call_command("ratings", "verify", stdout=out)

    assert out.getvalue() == f"entry (game {event.game.key}, number 17, seat 1): mu is 1.0, due {event.mu}\n"


@pytest.mark.full
def test_verification_stops_at_its_limit(club: None) -> None:
    alter("UPDATE games_ratingevent SET mu = mu + 1")

    assert len(verify("--limit", "3")) == 3


@pytest.mark.full
def test_damaged_record_is_named_and_prevents_a_rebuild(club: None) -> None:
    log = MoveLog.objects.get(number=16)
    MoveLog.objects.filter(pk=log.pk).update(text=log.text.replace("Player", "Slayer"))
    alter("UPDATE games_standing SET mu = mu + 1")

    assert "record" in {flaw["about"] for flaw in verify()}
    with pytest.raises(CommandError, match="record_digest is"):
        rebuild()
    assert "standing" in {flaw["about"] for flaw in verify()}


@pytest.mark.full
def test_a_record_that_cannot_be_unpacked_is_named(club: None) -> None:
    alter("UPDATE games_movelog SET text = substring(text FOR 20) WHERE number = 16")

    (found,) = [flaw for flaw in verify() if flaw["about"] == "record"]
    assert (found["stored"], found["due"]) == ({"text": "unreadable"}, {"text": "canonical"})


@pytest.mark.full
def test_impossible_record_is_found_by_replaying(club: None) -> None:
    found = verify("--replay", "--limit", "1")

    assert found[0]["about"] == "record"
    assert found[0]["due"] == {"places": [], "verdict": "rejected", "text": None}


@pytest.mark.full
def test_ledger_remains_append_only_after_a_rebuild(club: None) -> None:
    alter(ENTRY.format("mu = 1"))
    rebuild()

    with pytest.raises(Exception, match="append-only"):
        RatingEvent.objects.filter(number=1).update(mu=1)


# Stored leaderboards


@pytest.fixture
def boards(club: None, now: datetime) -> list[LeaderboardSnapshot]:
    """Leaderboards for the day of all games, and for their month and year."""
    ladder = Ladder.objects.get()
    as_of = board_as_of(ladder, now.date(), now=now)
    return [as_of, *(board_of(ladder, Period(now.year, month), now=now) for month in (now.month, None))]


@pytest.mark.full
def test_stored_leaderboards_agree_with_the_ledger(boards: list[LeaderboardSnapshot]) -> None:
    out = StringIO()
    call_command("ratings", "verify", "--boards", "all", stdout=out)

    assert f"games, {LeaderboardSnapshot.objects.count()} stored leaderboards," in out.getvalue()
    assert all(board.players for board in boards)
    assert rebuild() == "Nothing to repair.\n"


IN_BOARDS = {
    "rank": ("UPDATE games_snapshotrow SET rank = rank + 1 WHERE line = 2", "board line", "rank"),
    "games": ("UPDATE games_snapshotrow SET games = games + 1 WHERE line = 2", "board line", "games"),
    "beaten": ("UPDATE games_snapshotrow SET beaten = beaten + 1 WHERE line = 2", "board line", "beaten"),
    "before": ("UPDATE games_snapshotrow SET mu_before = mu_before + 1 WHERE line = 2", "board line", "mu_before"),
    "mu": ("UPDATE games_snapshotrow SET mu = mu + 0.000001 WHERE line = 2", "board line", "mu"),
    "line-gone": ("DELETE FROM games_snapshotrow WHERE line = 2", "board line", None),
    "line-more": ("UPDATE games_snapshotrow SET line = 99 WHERE line = 2", "board line", None),
    "digest": ("UPDATE games_leaderboardsnapshot SET digest = repeat('0', 64)", "board", "digest"),
    "bars": ("""UPDATE games_leaderboardsnapshot SET bars = '{"0": 1}'""", "board", "bars"),
}


@pytest.mark.parametrize(("sql", "about", "cell"), some(IN_BOARDS).values(), ids=some(IN_BOARDS))
def test_altered_leaderboard_is_named_and_deleted(
    boards: list[LeaderboardSnapshot], now: datetime, sql: str, about: str, cell: str | None
) -> None:
    alter(sql)

    found = verify("--boards", "all")
    assert {flaw["about"] for flaw in found} == {about}
    day = RatingEvent.objects.latest("pk").at.date().isoformat()
    assert all(isinstance(flaw["where"], dict) and flaw["where"]["day"] == day for flaw in found)
    assert cell is None or all(cell in (flaw["due"] or {}) for flaw in found)  # type: ignore[operator]
    assert verify("--boards", "0") == []
    kept = LeaderboardSnapshot.objects.count()
    assert rebuild() == f"Repaired: {kept} x board.\n"
    assert (LeaderboardSnapshot.objects.count(), verify("--boards", "all"), Act.objects.count()) == (0, [], 1)
