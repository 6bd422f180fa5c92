"""Challenges: an upload names other players for the same moves, and the game waits until it is settled who sat there.

What a single upload can do is limited, so that strangers cannot easily stop a game:

- A game that has its place on the whole site's ladder keeps counting; a moderator decides.
- One that all its seats have confirmed, or whose seating the players have settled before, waits only for an account
  that its seating names; a challenge by anybody else goes to the moderators and holds nothing. Nor does any once a
  moderator has decided, or if the game was played at a rated table of this site.
- Any other waits until the accounts that the seatings name have agreed, or a moderator has decided.
- Only a limited number of one uploader's seatings of a game are open at once; all who upload without an account count
  as one. Further ones are kept as an address that redirects, and hold nothing back: somebody else who uploads them
  can still challenge with them.

While a game waits, no confirmation expires, and it keeps its place among those that are due. Ladders of clubs wait for
nothing: there the seating of the organisers' upload counts.
"""

from datetime import datetime

from django.db.models import DurationField, ExpressionWrapper, F, Q, Value
from django.db.models.functions import Greatest

from games.consent.reads.challenges import contest_of, is_decided, open_challenges, upheld_of
from games.consent.reads.eligibility import consent_of, first_uploader, seated_accounts, sole_uploader
from games.holds import flags
from games.holds.reads.ineligible import lapsing_from
from games.models import Act, Challenge, Game, Upload
from games.models.records import VerdictKind
from games.notices import events
from games.ratings.acceptance import keep_waiting, no_longer_due, places_of

OPEN_MOST = 5
"""Open challenges of one uploader to one game."""
_OPEN = Challenge.State.OPEN


def hold_seatings(game: Game) -> tuple[Game, Game]:
    """Lock a game, and before it the one of the same moves whose seating applies; both as they are now.

    Every lock of several seatings begins with that one, so that no two transactions wait for each other.
    """
    locked = Game.objects.select_for_update(no_key=True)
    while first := upheld_of(Game.objects.get(pk=game.pk)):
        if upheld := locked.filter(pk=first.pk, upheld=True, private=False).first():
            own = upheld if upheld.pk == game.pk else locked.get(pk=game.pk)
            return own, upheld
    own = locked.get(pk=game.pk)
    return own, own


def challenge(game: Game, upload: Upload, *, is_new: bool, now: datetime) -> None:
    """Record that an upload names other players than the seating that applies, if it does.

    Within the transaction that stores the verdict.

    :param is_new: whether nobody has named these before.
    """
    if game.upheld or game.private or game.verdict == VerdictKind.REJECTED:
        return
    rival, upheld = hold_seatings(game)
    if upheld.pk == rival.pk:
        if not rival.upheld:  # the challenged game has been hidden meanwhile
            Game.objects.filter(pk=rival.pk).update(upheld=True, same_as=None)
        return
    if is_new and _corrects(upheld, upload):
        _agree(rival, upheld, by=upload.uploader_id, now=now)
    elif (is_new or _may_challenge_again(rival, upheld, upload)) and _has_room(upheld, upload):
        _raise(rival, upheld, upload, now)


def _corrects(game: Game, upload: Upload) -> bool:
    """Return whether an account corrects names in its own game, which nobody else has uploaded or acted on."""
    mine = upload.uploader_id is not None and sole_uploader(game) == upload.uploader_id
    if not mine or is_decided(game) or {account for _, account in seated_accounts([game.pk])} - {upload.uploader_id}:
        return False
    said = game.confirmations.exists() or game.acceptances.exists() or game.disputes.exists()
    return not said and not game.challenges.exists() and not game.challenging.exists()


def _agree(chosen: Game, before: Game, *, by: int | None, now: datetime) -> Game:
    """Let a seating apply without a moderator, and record that."""
    Act.objects.create(kind=Act.Kind.SEATING_AGREED, by_id=by, at=now, game=chosen, params={"game": before.pk})
    return uphold(chosen, by=by, answer="", now=now)


def _raise(rival: Game, game: Game, upload: Upload, now: datetime) -> None:
    is_first = not open_challenges(game).exists()
    raised = Challenge.objects.create(
        game=game,
        rival=rival,
        raised_by_id=upload.uploader_id,
        raised_at=now,
        holds=_holds(game, upload, now),
    )
    if raised.holds:
        keep_waiting(game)
    if is_first:  # one mail, however many seatings strangers upload
        events.seating_raised(raised, now=now)


def _holds(game: Game, upload: Upload, now: datetime) -> bool:
    """Return whether a game waits for a challenge."""
    if _has_place(game) or is_decided(game):
        return False
    if _names(upload, game):
        return True
    settled = Challenge.objects.filter(Q(game=game) | Q(rival=game)).exclude(state=_OPEN).exists()
    return not settled and consent_of(game, now=now).state != "confirmed"


def _has_place(game: Game) -> bool:
    """Return whether a game is rated on the site's ladder; if not, it stays so until the transaction ends."""
    return any(place.ladder.club_id is None for place in places_of(game))


def _names(upload: Upload, game: Game) -> bool:
    """Return whether a seating names the account of an upload."""
    return upload.uploader_id in {account for _, account in seated_accounts([game.pk])}


def _has_room(game: Game, upload: Upload) -> bool:
    """Return whether an uploader may have another open challenge to a game."""
    return open_challenges(game).filter(raised_by=upload.uploader_id).count() < OPEN_MOST


def _may_challenge_again(rival: Game, upheld: Game, upload: Upload) -> bool:
    """Return whether a settled seating may be challenged again.

    What a moderator has decided stays. One that others agreed to replace may be challenged for by those it names and
    by its uploader; one that was dismissed, by those it names who were not heard; one that never challenged, as its
    uploader had challenged enough, by anybody.
    """
    last, applied_once = rival.challenging.order_by("-pk").first(), rival.challenges.exists()
    if last is None and not applied_once:
        return True
    if is_decided(upheld) or (last and last.state == _OPEN):
        return False
    if applied_once:
        return _names(upload, rival) or (upload.uploader_id is not None and first_uploader(rival) == upload.uploader_id)
    heard = rival.choices.model.objects.filter(digest=rival.digest or "", account=upload.uploader_id).exists()
    return not heard and _names(upload, rival)


def settle_agreed(game: Game, *, by: int | None, now: datetime) -> Game:
    """Settle who sat at a game where all accounts that the seatings name have chosen the same.

    A game that has its place on the whole site's ladder, and one that a moderator has decided, keeps its seating.

    :param by: whose choice it was.
    :returns: the game whose seating applies now.
    """
    _, upheld = hold_seatings(game)
    if not open_challenges(upheld).exists():
        return upheld
    agreed = contest_of(upheld, now=now).agreed
    if agreed is None or (agreed != upheld.pk and (is_decided(upheld) or _has_place(upheld))):
        return upheld
    return _agree(Game.objects.get(pk=agreed), upheld, by=by, now=now)


def uphold_played(game: Game, *, now: datetime) -> bool:
    """Let the seating of a game from a rated table apply, whatever others have uploaded: the site knows who sat there.

    :returns: whether it applies; not if another seating counts already, a moderator chose that one, or it was played
        at a rated table, too.
    """
    own, upheld = hold_seatings(game)
    if own.pk != upheld.pk and (is_decided(upheld) or _has_place(upheld)):
        return False
    if own.pk != upheld.pk or open_challenges(own).exists():
        reason, params = "Played at a rated table of this site.", {"game": upheld.pk}
        Act.objects.create(kind=Act.Kind.SEATING_CHOSEN, at=now, game=own, reason=reason, params=params)
        uphold(own, by=None, answer="", now=now)
    return True


def uphold(game: Game, *, by: int | None, answer: str, now: datetime) -> Game:
    """Let the seating of a game apply, and settle all challenges. The caller has checked that this is allowed.

    A game that counts with another seating is not annulled here, and this one gets no place of its own by it.

    :returns: the game as it is now.
    """
    chosen, before = hold_seatings(game)
    if chosen.pk != before.pk:
        _exchange(chosen, before)
        chosen.refresh_from_db()
    for seating in {chosen.pk: chosen, before.pk: before}.values():
        _give_time_again(seating, now)
    closed = open_challenges(before).order_by("pk").first()
    settled = {"settled_by": by, "settled_at": now, "answer": answer}
    open_challenges(before).filter(rival=chosen).update(state=Challenge.State.UPHELD, **settled)
    open_challenges(before).update(state=Challenge.State.DISMISSED, **settled)
    if closed:
        events.seating_settled(closed, by=by, now=now)
    return chosen


def _give_time_again(game: Game, now: datetime) -> None:
    """Add the time for which a challenge held a game to that of its confirmations."""
    since = lapsing_from(game, now=now)
    given = game.confirmations.filter(withdrawn_at=None, until__gt=since)
    waited = ExpressionWrapper(Value(now) - Greatest(F("at"), Value(since)), output_field=DurationField())
    given.update(until=F("until") + waited)


def _exchange(chosen: Game, before: Game) -> None:
    """Redirect the address of the seating that applied so far, unless a club has accepted it.

    Addresses that redirected to it follow along, without being written.
    """
    flags.carry_over(before, chosen)
    no_longer_due(before)
    is_kept = before.acceptances.filter(ladder__club__isnull=False).exists()
    Game.objects.filter(pk=before.pk).update(upheld=False, same_as=None if is_kept else chosen)
    Game.objects.filter(pk=chosen.pk).update(upheld=True, same_as=None)
