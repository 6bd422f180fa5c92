"""All that can happen to a game and is shown on its page."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from games.accounts.deletion import delete_account
from games.clubs import organising
from games.clubs.correcting import correct_facts
from games.clubs.organising import Description
from games.comments import writing
from games.consent.confirmations import confirm, dispute, withdraw, withdraw_dispute
from games.consent.privacy import hide, show
from games.corrections.rerating import perform_waiting
from games.models import Acceptance, Claim, Club, Confirmation, Game, GameComment, Player, Table, Upload
from games.moderation import decisions, reported
from games.moderation.decisions import Decision
from games.moderation.reported import Ruling
from games.players import claims
from games.run import rate_waiting
from games.uploads.origin import SCORED, UploadOptions
from games.uploads.removal import remove_rejected, restore_removed
from games.verification import queue
from tests.factories import duels, record
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

DAY = timedelta(days=1)
Step = tuple[str, Callable[[], object]]


def upload(
    now: datetime,
    by: User | None = None,
    names: tuple[str, str] = ("Ada", "Bruno"),
    options: UploadOptions = SCORED,
    **tags: str,
) -> Game:
    """Upload a game, and judge it."""
    sent = upload_file(record(names=names, **tags), via=Upload.Via.API, now=now, uploader=by, options=options)
    judge_all(now)
    game = sent.logs.get().game
    assert game
    return game


def steps(game: Game, alice: User, bob: User, judge: User, now: datetime) -> Iterator[Step]:
    """Yield what can happen to a game that Alice uploaded, and in which she and Bob sat, in such an order."""
    yield from _consent(game, alice, bob, now)
    yield from _ratings(game, now)
    yield from _facts(game, alice, bob, judge, now)
    yield from _persons(game, alice, bob, judge, now)
    yield from _comments(game, alice, bob, judge, now)
    yield from _seatings(game, judge, now)
    yield "uploader deleted", lambda: delete_account(alice, now=now)


def _operator(now: datetime) -> Decision:
    return Decision(None, now, "It was never played.")


def _consent(game: Game, alice: User, bob: User, now: datetime) -> Iterator[Step]:
    yield "hidden", lambda: hide(game, alice, now=now)
    yield "shown", lambda: show(game, alice, now=now)
    yield "disputed", lambda: dispute(game, bob, reason="I was ill.", now=now)
    yield "withdrawn", lambda: withdraw_dispute(game, bob, pk=game.disputes.get().pk, now=now)
    yield "disputed again", lambda: dispute(game, bob, reason="I was far away.", now=now)
    latest = game.disputes.order_by("-pk")
    yield "dismissed", lambda: decisions.settle_dispute(latest[0], _operator(now), upheld=False)
    yield "confirmed", lambda: confirm(game, alice, now=now)
    yield "confirmation withdrawn", lambda: withdraw(game, alice, now=now)
    yield "confirmed once more", lambda: confirm(game, alice, now=now)
    yield "renamed account", lambda: User.objects.filter(pk=alice.pk).update(username="alicia")
    yield "expired", lambda: Confirmation.objects.update(until=now - DAY)
    yield "confirmed again", lambda: confirm(game, alice, now=now)
    yield "confirmed by all", lambda: confirm(game, bob, now=now)


def _ratings(game: Game, now: datetime) -> Iterator[Step]:
    site = Acceptance.objects.filter(ladder__club=None, game=game)
    yield "rated", lambda: rate_waiting(now=now)
    yield "annulled", lambda: decisions.annul(site.get(), _operator(now))
    yield "annulment performed", lambda: perform_waiting(now=now)
    yield "restored", lambda: decisions.restore(site.get(), _operator(now))
    yield "restoration performed", lambda: perform_waiting(now=now)


def _facts(game: Game, alice: User, bob: User, judge: User, now: datetime) -> Iterator[Step]:
    clubs = Club.objects.filter(slug="nest")
    yield "uploaded again", lambda: upload(now, bob, Event="another file")
    yield "corrected by its uploader", lambda: upload(now, alice, Event="Cup", Date="2026.05.09")
    yield "club founded", lambda: organising.found(slug="nest", name="Nest", about="", organiser=alice, now=now)
    yield "uploaded for a club", lambda: upload(now, alice, options=UploadOptions(club=clubs.get()), Event="Cup")
    yield "organiser named", lambda: organising.name_organiser(clubs.get(), bob, by=judge, now=now)
    yield "rated in a club", lambda: rate_waiting(now=now)
    yield "corrected by a club", lambda: correct_facts(game, clubs.get(), {"event": "Evening"}, by=alice, now=now)
    yield "renamed club", lambda: organising.describe(clubs.get(), Description("Hive", ""), by=alice, now=now)
    yield (
        "linked to a table",
        lambda: Table.objects.create(
            key="table001", ruleset=game.ruleset, places=2, opened_at=now, begun_at=now, ended_at=now,
            seats_line="R B", state="finished", placements=[1, 2], commitment="0" * 64, sealed_secret=b"",
            first="drawn", game=game,
        ),
    )  # fmt: skip
    yield "unlinked", lambda: Table.objects.update(game=None)
    yield "queued again", lambda: _by_another_engine(queue.queue_again)
    yield "judged by another engine", lambda: _by_another_engine(lambda: judge_all(now))


def _persons(game: Game, alice: User, bob: User, judge: User, now: datetime) -> Iterator[Step]:
    ada, bruno = Player.objects.filter(name="Ada"), Player.objects.filter(name="Bruno")
    others, (elsewhere,) = Player.objects.filter(name="Cleo"), duels(1, ("Cleo", "Dora"))
    yield "marked as a bot", lambda: decisions.mark_bot(bruno.get(), _operator(now), is_bot=True)
    yield "marked as a person", lambda: decisions.mark_bot(bruno.get(), _operator(now), is_bot=False)
    yield "another game", lambda: upload_file(elsewhere, via=Upload.Via.API, now=now, uploader=judge)
    yield "another game judged", lambda: judge_all(now)
    yield "merged", lambda: decisions.merge(bruno.get(), others.get(), _operator(now))
    yield "merge performed", lambda: perform_waiting(now=now)
    yield "other merged player marked as a bot", lambda: decisions.mark_bot(others.get(), _operator(now), is_bot=True)
    yield "split", lambda: decisions.part(bruno.get(), _operator(now))
    yield "split performed", lambda: perform_waiting(now=now)
    claim = Claim.objects.filter(account=bob)
    yield "claim revoked", lambda: claims.revoke_claim(claim.get(), by=judge, answer="Another Bruno.", now=now)
    yield "claimed again", lambda: give_seat(game, 1, bob, now)
    yield "renamed player", lambda: ada.update(name="Adelheid")


def _comments(game: Game, alice: User, bob: User, judge: User, now: datetime) -> Iterator[Step]:
    def own(author: User) -> GameComment:
        return game.comments.get(author=author)

    decision = Decision(judge, now, "Rude")
    yield "commented", lambda: writing.write(game, "Well played", by=bob, now=now)
    yield "answered", lambda: writing.write(game, "Hello", by=alice, now=now)
    yield "comment changed", lambda: writing.change(own(bob), "Badly", 1, by=bob, now=now)
    yield "comment hidden", lambda: reported.decide(own(bob), Ruling(hide=True, version="2"), decision)
    yield "comment shown", lambda: reported.decide(own(bob), Ruling(hide=False, version="2"), decision)
    yield "comment deleted", lambda: writing.delete(own(alice), by=alice)
    yield "renamed author", lambda: User.objects.filter(pk=bob.pk).update(username="roberta")


def _seatings(game: Game, judge: User, now: datetime) -> Iterator[Step]:
    def rival() -> Game:
        return Game.objects.exclude(pk=game.pk).get(digest=game.digest)

    yield "challenged", lambda: upload(now, judge, names=("Bruno", "Ada"))
    yield "commented on the other seating", lambda: _comment_on(rival(), judge, now)
    yield "seating kept", lambda: decisions.choose_seating(game, _operator(now))
    yield "other seating chosen", lambda: decisions.choose_seating(rival(), _operator(now))
    yield "annulled for it", lambda: perform_waiting(now=now)
    yield "other seating annulled", lambda: decisions.choose_seating(game, _operator(now))


def _comment_on(game: Game, by: User, now: datetime) -> GameComment:
    """Write a comment on a game that leads on to another, as was done before it did."""
    return GameComment.objects.create(game=game, author=by, text="We sat the other way.", written_at=now)


def _by_another_engine(work: Callable[[], object]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(queue, "ENGINE_VERSION", "99.9")
        work()


def steps_of_rejected(sent: Upload, alice: User, now: datetime) -> Iterator[Step]:
    """Yield what can happen to a rejected record that Alice uploaded."""
    yield "removed", lambda: remove_rejected(sent, alice, now=now)
    yield "brought back", lambda: restore_removed(sent, alice, now=now)
    yield "renamed account", lambda: User.objects.filter(pk=alice.pk).update(username="alicia")
    yield "uploader deleted", lambda: delete_account(alice, now=now)
