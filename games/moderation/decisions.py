"""Moderation: what moderators decide. Every act is written down, with who, when and why, as it is done.

Nobody decides their own case: a game they sat at, a dispute they raised, a name that they have, claim or once
claimed. The operator can, by a command, and then no account is recorded.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from engine.agn.names import name_key
from engine.agn.retag import retag
from engine.registry import ruleset_by_slug
from engine.verify import ENGINE_VERSION, verify
from engine.words import marked
from games.clubs.reads.clubs import organises
from games.consent import confirmations
from games.consent.challenges import hold_seatings, uphold
from games.consent.reads.challenges import open_challenges
from games.consent.reads.eligibility import seats_of
from games.corrections import rerating
from games.corrections.previews import falling_with
from games.holds import flags
from games.holds.reads.holds import game_before
from games.models import Acceptance, Act, Correction, Dispute, Flag, Game, MoveLog, Player, Upload
from games.moderation.reads.pending import disputed_seatings, has_uploaded
from games.notices import events
from games.platform.errors import RefusedError
from games.platform.locks import wait_for
from games.platform.roles import is_moderator
from games.players import claims
from games.players.reads.own_names import claimed_by
from games.records.introductions import PRIVATE_FROM
from games.records.reads.alike import alike_without_place, counting_beside
from games.records.reads.replays import record_of
from games.uploads.origin import Origin, UploadOptions
from games.uploads.source import Source
from games.uploads.submit import submit
from games.verification.store import Found, store_alone

Kind = Act.Kind
_UNDER_WAY = marked("Another decision on this game is being carried out. Try again in a moment.")


class ModerationError(RefusedError):
    """A decision that cannot be taken; nothing has changed."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decides, when and why."""

    by: AbstractBaseUser | None
    """None where it is done by the operator."""
    at: datetime
    reason: str

    def check(self) -> None:
        """Check that there is a reason. :raises ModerationError: when there is none."""
        if not self.reason.strip():
            raise ModerationError("no_reason", "Give a reason. The people affected can read it.")

    @property
    def account(self) -> int | None:
        """The number of who decides."""
        return self.by.pk if self.by else None

    @property
    def order(self) -> rerating.Instruction:
        """The same for a correction."""
        return rerating.Instruction(self.by, self.reason.strip(), self.at)


def note(kind: Act.Kind, decision: Decision, **about: Any) -> Act:  # noqa: ANN401 (the act's own fields)
    """Record an act."""
    return Act.objects.create(
        kind=kind, by_id=decision.account, at=decision.at, reason=decision.reason.strip(), **about
    )


def _check_apart(decision: Decision, *, game: Game | None = None, players: Iterable[Player] = ()) -> None:
    """Refuse a moderator's own case. :raises ModerationError: when it is."""
    if decision.account is None:
        return
    if game and seats_of(game, decision.account):
        raise ModerationError("own_case", "You played in this game: another moderator has to decide.")
    if any(player.rated_account_id == decision.account for player in players):
        raise ModerationError("own_case", "This is your own player: another moderator has to decide.")
    named = [player.pk for player in players]
    named += game.seatings.values_list("player", flat=True) if game else []
    if claimed := claimed_by(decision.account).filter(pk__in=named).first():
        raise ModerationError(
            "own_case", "You have claimed {name} yourself: another moderator has to decide.", name=claimed.name
        )


def _check_no_uploader(decision: Decision, games: Iterable[Game | int]) -> None:
    """Leave to others what a moderator has uploaded. :raises ModerationError: when one of the games is such."""
    if decision.account and has_uploaded(decision.account, games):
        raise ModerationError("own_case", "You uploaded this game: another moderator has to decide.")


@transaction.atomic
def settle_dispute(dispute: Dispute, decision: Decision, *, upheld: bool) -> Dispute:
    """Decide a dispute. If it is upheld, the game is annulled wherever it counts by its players' consent.

    :raises ModerationError: without a reason, or of who raised it, or sat at the game.
    :raises ConsentError: when it has ended before.
    """
    decision.check()
    _check_apart(decision, game=dispute.game)
    if decision.by and dispute.account_id == decision.account:
        raise ModerationError(
            "own_case", "You raised this dispute: you can withdraw it, but another moderator has to decide it."
        )
    state = Dispute.State.UPHELD if upheld else Dispute.State.DISMISSED
    settled = confirmations.close_dispute(dispute, state, by=decision.by, answer=decision.reason, now=decision.at)
    kind = Kind.DISPUTE_UPHELD if upheld else Kind.DISPUTE_DISMISSED
    note(kind, decision, game=dispute.game, params={"dispute": dispute.pk})
    counting = falling_with(dispute.game)
    if upheld and counting and not _ordered(counting, Correction.Kind.ANNULMENT):
        annul(counting, decision)
    return settled


@transaction.atomic
def annul(acceptance: Acceptance, decision: Decision, *, instead: Game | None = None) -> Correction:
    """Annul a game on a ladder.

    :param instead: the same moves with other players, who are to have its place once they have confirmed it.
    :raises ModerationError: when it does not count, or no reason is given, or the moderator played in it.
    """
    decision.check()
    _check_apart(decision, game=acceptance.game)
    _check(acceptance, counts=True)
    taking = {"instead": instead.pk} if instead else {}
    note(Kind.GAME_ANNULLED, decision, game=acceptance.game, params={"number": acceptance.number, **taking})
    ordered = rerating.order_annulment(acceptance, decision.order)
    events.correction_ordered(ordered, acceptance.game, now=decision.at)
    return ordered


@transaction.atomic
def choose_seating(game: Game, decision: Decision) -> Game:
    """Let a game's seating apply to its moves, and settle the challenges to it.

    Where the game counts for the whole site with another seating, it is annulled there: with this one it counts as soon
    as those who are named have confirmed it.

    :raises ModerationError: when there is nothing to choose, or no reason is given, or one of the seatings names them
        or is their upload.
    """
    decision.check()
    chosen, before = hold_seatings(game)
    for named in (chosen, before):
        _check_apart(decision, game=named)
    _check_no_uploader(decision, disputed_seatings(chosen, before))
    if chosen.pk == before.pk and not open_challenges(before).exists():
        raise ModerationError("as_asked", "This seating already applies, and nobody disputes it.")
    if chosen.pk != before.pk:
        _annul_for(chosen, before, decision)
    applies = uphold(chosen, by=decision.account, answer=decision.reason.strip(), now=decision.at)
    note(Kind.SEATING_CHOSEN, decision, game=applies, params={"game": before.pk})
    confirmations.settle(applies, now=decision.at)
    return applies


def _annul_for(chosen: Game, before: Game, decision: Decision) -> None:
    """Annul a game that counts for the whole site, so that another seating can take its place."""
    for acceptance in before.acceptances.filter(ladder__club=None):
        if _ordered(acceptance, Correction.Kind.RESTORATION):
            raise ModerationError("under_way", _UNDER_WAY)
    counting = falling_with(before)
    if counting and not _ordered(counting, Correction.Kind.ANNULMENT):
        annul(counting, decision, instead=chosen)


@transaction.atomic
def seat_anew(game: Game, names: Mapping[str, str], decision: Decision) -> Game:
    """Name players for a game's moves that no upload names, by an upload without an account.

    So the moderator is no party afterwards, and does not decide alone whose the names are.

    :param names: by seat letter.
    :raises ModerationError: as when a seating is chosen; or when no log can name these.
    """
    decision.check()
    log = game.logs.order_by("pk").first()
    if log is None or game.digest is None or game.private:
        raise ModerationError("as_asked", "This game has no players.")
    _check_no_uploader(decision, disputed_seatings(*hold_seatings(game)))
    ruleset = ruleset_by_slug(game.ruleset)
    tags = {ruleset.seat(letter).tag: name_key(name) for letter, name in names.items()}
    data = retag(bytes(log.data), log.form, tags)
    origin = Origin(Upload.Via.WEB, options=UploadOptions(scored=game.scored))
    record = submit(Source.of(data), origin, now=decision.at).upload.logs.get()
    found = verify(record_of(record))
    if found.digest != game.digest:
        raise ModerationError("bad_names", "Name one player for each seat, with at most 64 characters each.")
    MoveLog.objects.filter(pk=record.pk).update(state=MoveLog.State.RUNNING, attempts=1, fence=1)
    store_alone(
        Found(record.pk, 1, found), engine=ENGINE_VERSION, now=decision.at, at=decision.at, names_are_certain=True
    )
    return choose_seating(Game.objects.get(logs=record), decision)


@transaction.atomic
def restore(acceptance: Acceptance, decision: Decision) -> Correction:
    """Restore an annulled game.

    :raises ModerationError: when it counts, or the same play does, or no reason is given, or they played in it.
    """
    decision.check()
    _check_apart(decision, game=acceptance.game)
    if acceptance.ladder.club_id is None and not acceptance.game.upheld:
        raise ModerationError(
            "other_seating", "Another seating of these moves applies: choose the one of this game first."
        )
    _check(acceptance, counts=False)
    _check_alone(acceptance)
    flags.ask_again(alike_without_place(acceptance))
    note(Kind.GAME_RESTORED, decision, game=acceptance.game, params={"number": acceptance.number})
    ordered = rerating.order_restoration(acceptance, decision.order)
    events.correction_ordered(ordered, acceptance.game, now=decision.at)
    return ordered


def _check(acceptance: Acceptance, *, counts: bool) -> None:
    """Refuse what is already so, or soon will be."""
    Game.objects.select_for_update(no_key=True).get(pk=acceptance.game_id)  # before what belongs to it, as elsewhere
    held = Acceptance.objects.select_for_update(no_key=True).get(pk=acceptance.pk)
    if held.number is None:
        raise ModerationError("not_accepted", "The game is not rated yet.")
    if held.counts is not counts:
        sentence = marked("The game is already annulled.") if counts else marked("The game is already rated.")
        raise ModerationError("as_asked", sentence)
    if Correction.objects.filter(acceptance=held, order=None).exists():
        raise ModerationError("under_way", _UNDER_WAY)


def _check_alone(acceptance: Acceptance) -> None:
    """Refuse to have one play count twice. Who restores another copy of it at this moment is waited for."""
    wait_for(f"play/{acceptance.ladder_id}/{acceptance.game.likeness or acceptance.game.digest}")
    if other := counting_beside(acceptance):
        raise ModerationError(
            "same_play", "Game {key} has the same moves and is rated, or soon will be: annul it first.", key=other.key
        )


def _ordered(acceptance: Acceptance, kind: Correction.Kind) -> bool:
    return Correction.objects.filter(acceptance=acceptance, kind=kind, order=None).exists()


@transaction.atomic
def merge(player: Player, into: Player, decision: Decision) -> Correction:
    """Merge a player into another.

    :raises ModerationError: when they are one, or no reason is given, or one of them is the moderator's own.
    """
    decision.check()
    player, into = _locked(player, into)
    _check_apart(decision, players=(player, into))
    if player.rated_id == into.rated_id:
        raise ModerationError("one_already", "These two are already merged.")
    for one in (player, into):
        if one.pk >= PRIVATE_FROM:
            raise ModerationError("not_public", "{name} is in no public game yet.", name=one.name)
    note(Kind.PLAYERS_MERGED, decision, player=player, params={"into": into.rated_id})
    return rerating.order_merge(player.merged_into or player, into, decision.order)


@transaction.atomic
def part(player: Player, decision: Decision) -> Correction:
    """Split a merged player again.

    :raises ModerationError: when the player is not merged, or with another form of the same name, or is the
        moderator's own, or no reason is given.
    """
    decision.check()
    (player,) = _locked(player)
    _check_apart(decision, players=(player,))
    if player.merged_into_id is None:
        raise ModerationError("not_merged", "This player is not merged with another.")
    if _key(player) == _key(player.merged_into or player):
        raise ModerationError("one_name", "Both have one name, typed in two forms: they stay one player.")
    note(Kind.PLAYERS_SPLIT, decision, player=player, params={"from": player.merged_into_id})
    return rerating.order_split(player, decision.order)


def _key(player: Player) -> tuple[str, str]:
    return name_key(player.source), name_key(player.name)


def lock_players(players: Iterable[int]) -> dict[int, Player]:
    """Return players by id, locked in the order of their ids, so that two decisions on the same ones wait in turn."""
    rows = Player.objects.select_for_update(no_key=True).filter(pk__in=list(players)).order_by("pk")
    return {player.pk: player for player in rows}


def _locked(*players: Player) -> list[Player]:
    """Return players, locked. :raises ModerationError: while another decision on them is carried out."""
    held = lock_players(player.pk for player in players)
    ids = [*held, *[player.rated_id for player in held.values()]]
    moving = Correction.objects.filter(order=None, player__isnull=False)
    if moving.filter(player__in=ids).exists() or moving.filter(into__in=ids).exists():
        raise ModerationError(
            "under_way", "Another decision on these players is being carried out. Try again in a moment."
        )
    return [held[player.pk] for player in players]


@transaction.atomic
def mark_bot(player: Player, decision: Decision, *, is_bot: bool) -> None:
    """Mark a player as a bot, or as a person.

    :raises ModerationError: when that is known already, or no reason is given.
    """
    decision.check()
    if player.is_bot == is_bot:
        sentence = (
            marked("This player is already marked as a bot.")
            if is_bot
            else marked("This player is not marked as a bot.")
        )
        raise ModerationError("as_asked", sentence)
    claims.mark_bot(player, decision.by, is_bot=is_bot, reason=decision.reason, now=decision.at)


@transaction.atomic
def settle_flag(flag: Flag, decision: Decision, *, unrated: bool = False) -> Flag:
    """Settle a flag. A game that waits for it is then rated or left unrated.

    What was left unrated can be let count later.

    :raises ModerationError: when that was done before, no reason is given, or the flag concerns the one who decides; or
        when they neither moderate nor, where a game waits in a club, organise it.
    """
    decision.check()
    held = Flag.objects.select_for_update(no_key=True, of=("self",)).select_related("ladder__club").get(pk=flag.pk)
    if decision.by and not may_settle(held, decision.by):
        raise ModerationError("not_allowed", "Only a moderator, or an organiser of the club, can decide.")
    if not (decision.by and _organises(held, decision.by)):  # clubs answer for their own ladders
        _check_apart(decision, game=flag.game, players=(flag.player,) if flag.player else ())
        _check_apart_from_copy(flag, decision)
    if held.settled_at and (unrated or not held.unrated):
        raise ModerationError("settled", "This flag is already settled.")
    if held.ladder_id and not unrated and held.game.private:
        raise ModerationError("private", "A private game cannot be rated.")
    held.settled_at, held.settled_by_id, held.answer = decision.at, decision.account, decision.reason.strip()
    held.unrated = unrated and held.ladder_id is not None
    held.save(update_fields=["settled_at", "settled_by", "answer", "unrated"])
    note(_settled_as(held), decision, game=held.game, player=held.player, params={"flag": held.pk, "kind": held.kind})
    if held.ladder_id:
        flags.release(Acceptance.objects.filter(game=held.game, ladder=held.ladder, held=True))
    return held


def _check_apart_from_copy(flag: Flag, decision: Decision) -> None:
    """Leave to others a play that a moderator sat at, or uploaded, in either copy. :raises ModerationError: then."""
    if flag.kind == Flag.Kind.LIKENESS:
        first = game_before(flag)
        _check_apart(decision, game=first)
        _check_no_uploader(decision, [flag.game, *([first] if first else [])])


def _settled_as(flag: Flag) -> Act.Kind:
    if flag.ladder_id is None:
        return Kind.FLAG_SETTLED
    return Kind.GAME_LEFT_UNRATED if flag.unrated else Kind.GAME_LET_COUNT


def may_settle(flag: Flag, account: AbstractBaseUser) -> bool:
    """Return whether an account may settle a flag: moderators, and the organisers of its club."""
    return is_moderator(account) or _organises(flag, account)


def _organises(flag: Flag, account: AbstractBaseUser) -> bool:
    club = flag.ladder.club if flag.ladder else None
    return club is not None and organises(account, club)


@transaction.atomic
def settle_flags(found: Iterable[Flag], decision: Decision, *, unrated: bool = False) -> int:
    """Settle flags together, all or none. :returns: how many. :raises ModerationError: as for one."""
    return len([settle_flag(flag, decision, unrated=unrated) for flag in sorted(found, key=lambda one: one.pk)])
