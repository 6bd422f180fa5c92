"""Who may see what: private games, and players known only from them, do not exist for others."""

from typing import Literal, TypeAlias

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Challenge, Claim, Game, MoveLog, Seating, Vouch
from games.platform.roles import is_moderator

Viewer: TypeAlias = AbstractBaseUser | AnonymousUser

NOBODY = AnonymousUser()
"""A reader without an account."""


def _all(at: str = "") -> Q:
    """Return a condition that holds for everything; an empty one would vanish beside another."""
    return Q(**{f"{at}pk__isnull": False})


def games_for(viewer: Viewer, at: str = "") -> Q:
    """Return which games a viewer may see: public ones, their own uploads, and those whose owner vouches for them.

    An owner does so who, other than as a moderator, approved or vouched for the viewer's claim to a name in the game. A
    name approved by others shows them nothing.

    :param at: how the games are reached from the rows asked for: `game__` from a log.
    """
    return _all(at) if viewer.is_authenticated and is_moderator(viewer) else shared_games(viewer, at)


def shared_games(viewer: Viewer, at: str = "") -> Q:
    """Return which games a viewer may see without being a moderator."""
    shown = Q(**{f"{at}private": False})
    if not viewer.is_authenticated:
        return shown
    game = OuterRef(f"{at}pk")
    uploaded = MoveLog.objects.filter(game=game, upload__uploader=viewer.pk, removed=None)
    return shown | Q(Exists(uploaded)) | Q(Exists(_seats_vouched_for(viewer.pk).filter(game=game)))


def _seats_vouched_for(account: int) -> "QuerySet[Seating]":
    """Return seats of private games whose owner vouches for the claim of an account to the name that sits there."""
    approved = Q(claim__account=account, claim__state=Claim.State.APPROVED, claim__player=OuterRef("player"))
    given = Vouch.objects.filter(approved, by=OuterRef("game__owner")).exclude(role=Vouch.Role.MODERATOR)
    return Seating.objects.filter(Exists(given))


def sees(viewer: Viewer, game: Game) -> bool:
    """Say whether somebody may see a game."""
    return Game.objects.filter(games_for(viewer), pk=game.pk).exists()


def uploads_for(viewer: Viewer, at: str = "") -> Q:
    """Return which uploads a viewer may see: public ones, and their own.

    A dry run is its account's own; one by nobody can be seen at its address, which only its sender knows.
    """
    shown = Q(**{f"{at}private": False}) & (Q(**{f"{at}dry_run": False}) | Q(**{f"{at}uploader": None}))
    if viewer.is_authenticated:
        return _all(at) if is_moderator(viewer) else shown | Q(**{f"{at}uploader": viewer.pk})
    return shown


def records_for(game: Game, viewer: Viewer) -> Q:
    """Return which records of a visible game a viewer may read: of their private game only their own."""
    if game.private and viewer.is_authenticated and not is_moderator(viewer):
        return Q(upload__uploader=viewer.pk)
    return uploads_for(viewer, "upload__")


def logs_for(viewer: Viewer) -> Q:
    """Return which records of visible uploads a viewer may see: what is not judged yet is nobody's game.

    Those that were removed nobody sees.
    """
    return Q(removed=None) & uploads_for(viewer, "upload__") & (Q(game=None) | games_for(viewer, "game__"))


def players_for(viewer: Viewer) -> Q:
    """Return which players a viewer may know of: not those who sat only in games that the viewer may not see.

    Nor those named only for moves of which it was settled that others played them.
    """
    if viewer.is_authenticated and is_moderator(viewer):
        return _all()
    sat = Seating.objects.filter(player=OuterRef("pk"))
    challenging = Challenge.objects.filter(rival=OuterRef("game"), state=Challenge.State.OPEN)
    seen = Exists(sat.filter(games_for(viewer, "game__"), Q(game__same_as=None) | Q(Exists(challenging))))
    known = Q(seen) | ~Q(Exists(sat))
    return known | Q(account=viewer.pk) if viewer.is_authenticated else known


def may_show(game: Game, viewer: Viewer) -> bool:
    """Return whether somebody may make a private game public."""
    return viewer.is_authenticated and game.private and not against_showing(game, viewer)


def may_hide(game: Game, viewer: Viewer) -> bool:
    """Return whether somebody may make a public game private."""
    return viewer.is_authenticated and not game.private and not against_hiding(game, viewer)


def against_showing(game: Game, account: Viewer) -> Literal["", "not_uploader", "public_already"]:
    """Return why an account cannot make a game public: it has not uploaded it, or the same moves are public already."""
    if not game.logs.filter(upload__uploader=account.pk).exists():
        return "not_uploader"
    if game.digest is None or not game.private:
        return ""
    return "public_already" if Game.objects.filter(digest=game.digest, upheld=True, private=False).exists() else ""


def against_hiding(game: Game, account: Viewer) -> Literal["", "others_uploaded", "contested", "counts", "confirmed"]:
    """Return why an account cannot make a game private: others uploaded it, too, or it counts, or shall, for a ladder.

    A game that everybody has confirmed shall count, even while something else holds it back.
    """
    if game.logs.exclude(upload__uploader=account.pk).exists():
        return "others_uploaded"
    if game.digest and Game.objects.filter(digest=game.digest, upheld=False, private=False).exists():
        return "contested"
    placed = game.acceptances.filter(number__isnull=False).exists()
    if placed or game.logs.exclude(upload__club=None).exists():
        return "counts"
    return "confirmed" if game.acceptances.exists() else ""
