"""Moderators' decisions about one game or one player, each about the version that was read."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games import tasks
from games.api.moderation import READ_ERRORS, REFUSALS, ModeratorsView
from games.api.moderation_shapes import (
    AcceptanceBody,
    AcceptanceQuery,
    BotBody,
    CaseBody,
    DisputeBody,
    GameCaseShape,
    IntoQuery,
    MergeBody,
    PlayerCaseShape,
    PreviewShape,
    SeatingBody,
)
from games.api.queries import asked, sent
from games.consent.reads.challenges import find_seating
from games.consent.reads.eligibility import ladders_of
from games.corrections.previews import Preview, annulling, preview
from games.corrections.rerating import merging
from games.lookup import game_or_404, player_or_404, signed_in
from games.models import Acceptance, Dispute, Game, Player
from games.moderation import decisions
from games.moderation.decisions import Decision
from games.moderation.reads.cases import LISTED, acts_on_game, acts_on_player
from games.moderation.versions import game_version, hold_game, hold_player

Body = dict[str, Any]


def _game_shown(game: Game) -> Response:
    case = {
        "game": game.key,
        "version": game_version(game),
        "acceptances": ladders_of(game),
        "disputes": game.disputes.select_related("account").order_by("-pk")[:LISTED],
        "acts": acts_on_game(game.pk),
    }
    return Response(GameCaseShape(case).data)


def _on_game(request: Request, game: Game, wanted: Body, act: Callable[[Decision], object]) -> Response:
    """Decide about a game as it was read. :raises ModerationError: when it changed since."""
    with transaction.atomic():
        hold_game(game, wanted["version"])
        act(Decision(signed_in(request), timezone.now(), wanted["reason"]))
    tasks.wake_workers()
    game.refresh_from_db()
    return _game_shown(game)


def _previewed(request: Request, found: Preview) -> Response:
    return Response(PreviewShape(found, context={"request": request}).data)


class GameCaseView(ModeratorsView):
    """One game before a moderator."""

    @extend_schema(responses={200: GameCaseShape, **READ_ERRORS})
    def get(self, request: Request, key: str) -> Response:
        """Return a game's disputes, the ladders for which it counts, and what was decided about it."""
        return _game_shown(game_or_404(request, key))


class DisputeDecisionView(ModeratorsView):
    """The decision about a dispute."""

    @extend_schema(request=DisputeBody, responses={200: GameCaseShape, **REFUSALS})
    def post(self, request: Request, key: str, pk: str) -> Response:
        """Uphold a dispute, which annuls the game where it counts, or dismiss it."""
        game, wanted = game_or_404(request, key), sent(DisputeBody, request)
        dispute = Dispute.objects.select_related("game").filter(game=game, pk=int(pk)).first()
        if dispute is None:
            raise Http404
        return _on_game(
            request, game, wanted, lambda by: decisions.settle_dispute(dispute, by, upheld=wanted["uphold"])
        )


class AnnulmentView(ModeratorsView):
    """Annul a game."""

    @extend_schema(parameters=[AcceptanceQuery], responses={200: PreviewShape, **READ_ERRORS})
    def get(self, request: Request, key: str) -> Response:
        """Return what annulling a game on a ladder would change, without changing anything."""
        found = _acceptance(game_or_404(request, key), asked(AcceptanceQuery, request))
        if found.number is None:
            raise Http404
        return _previewed(request, preview(annulling(found)))

    @extend_schema(request=AcceptanceBody, responses={200: GameCaseShape, **REFUSALS})
    def post(self, request: Request, key: str) -> Response:
        """Annul a game on a ladder. The ratings after it are computed again by the worker."""
        game, wanted = game_or_404(request, key), sent(AcceptanceBody, request)
        found = _acceptance(game, wanted)
        return _on_game(request, game, wanted, lambda by: decisions.annul(found, by))


class RestorationView(ModeratorsView):
    """Restore a game."""

    @extend_schema(request=AcceptanceBody, responses={200: GameCaseShape, **REFUSALS})
    def post(self, request: Request, key: str) -> Response:
        """Restore an annulled game on a ladder. The ratings after it are computed again by the worker."""
        game, wanted = game_or_404(request, key), sent(AcceptanceBody, request)
        found = _acceptance(game, wanted)
        return _on_game(request, game, wanted, lambda by: decisions.restore(found, by))


def _acceptance(game: Game, wanted: Body) -> Acceptance:
    found = game.acceptances.select_related("ladder__club").filter(pk=wanted["acceptance"]).first()
    if found is None:
        raise Http404
    return found


class SeatingDecisionView(ModeratorsView):
    """Decide who played a game."""

    @extend_schema(request=SeatingBody, responses={200: GameCaseShape, **REFUSALS})
    def post(self, request: Request, key: str) -> Response:
        """Decide who played a game: one of the seatings that uploads name, or other names.

        The answer is about the game with these players.
        """
        game, wanted = game_or_404(request, key), sent(SeatingBody, request)
        with transaction.atomic():
            hold_game(game, wanted["version"])
            chosen = _seat(game, wanted, Decision(signed_in(request), timezone.now(), wanted["reason"]))
        tasks.wake_workers()
        return _game_shown(chosen)


def _seat(game: Game, wanted: Body, decision: Decision) -> Game:
    if wanted.get("names"):
        return decisions.seat_anew(game, wanted["names"], decision)
    try:
        return decisions.choose_seating(find_seating(game, wanted["seating"]), decision)
    except Game.DoesNotExist:
        raise Http404 from None


def _player_shown(request: Request, player: Player) -> Response:
    context = {"request": request, "acts": acts_on_player(player.pk)}
    found = Player.objects.select_related("account", "merged_into").get(pk=player.pk)
    return Response(PlayerCaseShape(found, context=context).data)


def _on_player(request: Request, player: Player, wanted: Body, act: Callable[[Decision], object]) -> Response:
    """Decide about a player as they were read. :raises ModerationError: when something changed since."""
    with transaction.atomic():
        hold_player(player, wanted["version"], wanted.get("into", player.pk))
        act(Decision(signed_in(request), timezone.now(), wanted["reason"]))
    tasks.wake_workers()
    return _player_shown(request, player)


class PlayerCaseView(ModeratorsView):
    """One player before a moderator."""

    @extend_schema(responses={200: PlayerCaseShape, **READ_ERRORS})
    def get(self, request: Request, pk: str) -> Response:
        """Return a player's account, with whom they are merged, and what was decided about them."""
        return _player_shown(request, player_or_404(request, pk))


class MergeView(ModeratorsView):
    """Merge a player."""

    @extend_schema(parameters=[IntoQuery], responses={200: PreviewShape, **READ_ERRORS})
    def get(self, request: Request, pk: str) -> Response:
        """Return what merging a player into another would change, without changing anything."""
        player, into = player_or_404(request, pk), player_or_404(request, asked(IntoQuery, request)["into"])
        if player.rated_id == into.rated_id:
            raise Http404
        return _previewed(request, preview(merging(player, into)))

    @extend_schema(request=MergeBody, responses={200: PlayerCaseShape, **REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Merge a player into another: both are one person."""
        player, wanted = player_or_404(request, pk), sent(MergeBody, request)
        into = player_or_404(request, wanted["into"])
        return _on_player(request, player, wanted, lambda by: decisions.merge(player, into, by))


class SplitView(ModeratorsView):
    """Split a player."""

    @extend_schema(request=CaseBody, responses={200: PlayerCaseShape, **REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Split a player again from the one into whom they were merged."""
        player, wanted = player_or_404(request, pk), sent(CaseBody, request)
        return _on_player(request, player, wanted, lambda by: decisions.part(player, by))


class BotMarkView(ModeratorsView):
    """Mark a player as a bot."""

    @extend_schema(request=BotBody, responses={200: PlayerCaseShape, **REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Mark a player as a bot, or as a person."""
        player, wanted = player_or_404(request, pk), sent(BotBody, request)
        return _on_player(request, player, wanted, lambda by: decisions.mark_bot(player, by, is_bot=wanted["is_bot"]))
