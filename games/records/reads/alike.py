"""Reading games of the same play: the same moves, with any players and however they are written."""

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from games.models import Acceptance, Correction, Flag, Game


def counting_beside(acceptance: Acceptance) -> Game | None:
    """Return a game of the same play that counts on the ladder of an acceptance, or is about to, if there is one.

    Games that somebody let count beside it while it counted, such as a return match, are left out, and so is the
    reverse.
    """
    others = Acceptance.objects.filter(_is_alike(acceptance.game), ladder=acceptance.ladder_id)
    for other in _counting(others).select_related("game").order_by("pk"):
        if not (_let_beside(acceptance, other) or _let_beside(other, acceptance)):
            return other.game
    return None


def alike_without_place(acceptance: Acceptance) -> "QuerySet[Flag]":
    """Return the flags by which games of the same play without a place were let count while one was annulled."""
    annulled = Correction.objects.filter(acceptance=acceptance, kind=Correction.Kind.ANNULMENT).aggregate(
        at=Max("ordered_at")
    )
    placed = Acceptance.objects.filter(game=OuterRef("game"), ladder=acceptance.ladder_id, number__isnull=False)
    return Flag.objects.filter(
        _is_alike(acceptance.game), ~Exists(placed), kind=Flag.Kind.LIKENESS, ladder=acceptance.ladder_id,
        unrated=False, settled_at__gte=annulled["at"],
    )  # fmt: skip


def _is_alike(game: Game) -> Q:
    """Return whether something is of another game of the same play."""
    same = Q(game__likeness=game.likeness) if game.likeness else Q(game__digest=game.digest)
    return same & ~Q(game=game)


def _counting(acceptances: "QuerySet[Acceptance]") -> "QuerySet[Acceptance]":
    """Return those that count or are about to."""
    restored = Correction.objects.filter(acceptance=OuterRef("pk"), kind=Correction.Kind.RESTORATION, order=None)
    due = Q(number=None, held=False)
    return acceptances.filter(due | Q(number__isnull=False, counts=True) | Exists(restored))


def _let_beside(first: Acceptance, second: Acceptance) -> bool:
    """Return whether somebody let a game count that is the same play as one that counted then."""
    corrected = Correction.objects.filter(acceptance=first.pk, ordered_at__lte=OuterRef("settled_at"))
    let = Flag.objects.filter(
        ~Exists(corrected), kind=Flag.Kind.LIKENESS, game=second.game_id, ladder=first.ladder_id, unrated=False
    )
    return first.accepted_at is not None and let.filter(settled_at__gte=first.accepted_at).exists()
