"""Everything stored about one account, for its owner."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import chain, groupby
from json import loads
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db.models import F, Q, QuerySet
from knox.models import AuthToken

from games.models import (
    Act,
    Answer,
    Attendance,
    Challenge,
    Claim,
    ClubMember,
    ClubWebhook,
    CollectedGame,
    Collection,
    CollectionReport,
    CommentReport,
    Confirmation,
    Delivery,
    Dispute,
    Follow,
    Game,
    GameComment,
    Invitation,
    InvitedName,
    MailPreferences,
    MoveLog,
    Notice,
    Player,
    PushSubscription,
    RatingEvent,
    Seating,
    SeatingChoice,
    StudyChapter,
    StudyFollow,
    StudyReport,
    Upload,
)
from games.notices.reads import preferences_of
from games.platform.batches import in_chunks
from games.records.reads.visibility import games_for

_CHUNK = 500
"""Rows fetched at once."""
_FEW = 20
"""The same of records, each of which can have 64 KiB."""
_OF_CHAPTER: tuple[str, ...] = ("number", "title", "changed_at")
Row = dict[str, Any]


def own_data(user: User, *, now: datetime) -> Mapping[str, Any]:
    """Return everything stored about an account, by topic; long parts are iterators."""
    players = Player.objects.filter(Q(account=user) | Q(merged_into__account=user))
    return {
        "format": "atta/account/1",
        "made_at": now,
        **_sign_in(user),
        **_people_and_lists(user, players),
        **_games_and_ratings(user, players),
        **_messages(user),
        **_own_studies(user),
        **_clubs_and_news(user),
    }


def _sign_in(user: User) -> Row:
    """Return what the account signs in with."""
    return {
        "account": _account(user),
        "email_addresses": _rows(EmailAddress.objects.filter(user=user), "email", "verified", "primary"),
        "second_factors": _rows(Authenticator.objects.filter(user=user), "type", "created_at", "last_used_at"),
        "browsers": _rows(UserSession.objects.filter(user=user), "ip", "user_agent", "created_at", "last_seen_at"),
        "tokens": _rows(AuthToken.objects.filter(user=user), "token_key", "created", "expiry", "use__used_at"),
    }


def _people_and_lists(user: User, players: "QuerySet[Player]") -> Row:
    """Return whom the account plays as and follows, and its lists of games."""
    return {
        "players": _rows(players, "id", "name", "source", "is_bot", "merged_into", "created_at"),
        "following": _rows(Follow.objects.filter(account=user), "player", "player__name", "since"),
        "collections": _rows(Collection.objects.filter(account=user), "key", "name", "favourites", "public", "made_at"),
        "collected": _rows(
            CollectedGame.objects.filter(collection__account=user), "collection__key", "game__key", "added_at"
        ),
        "comments": _rows(
            GameComment.objects.filter(author=user),
            "id",
            "game__key",
            "ply",
            "text",
            "written_at",
            "changed_at",
            "hidden_for",
        ),
        "comment_reports": _reports(CommentReport.objects.filter(by=user), "comment"),
        "collection_reports": _reports(CollectionReport.objects.filter(by=user), "collection__key"),
        "claims": _claims(user),
    }


def _games_and_ratings(user: User, players: "QuerySet[Player]") -> Row:
    """Return what the account uploaded and decided about games, with their ratings."""
    return {
        "uploads": _uploads(user),
        "answers": _rows(Answer.objects.filter(account=user), "key", "status", "body", "made_at"),
        "records": _records(user),
        "games": _games(user, players),
        "confirmations": _confirmations(user),
        "disputes": _disputes(user),
        "seating_choices": _rows(SeatingChoice.objects.filter(account=user), "game__key", "at"),
        "challenges": _challenges(user),
        "ratings": _ratings(players),
        "acts": _acts(user, players),
    }


def _messages(user: User) -> Row:
    """Return which messages the account gets, and whom it invited."""
    return {
        "mail_preferences": _mail_preferences(user),
        "push_subscriptions": _rows(
            PushSubscription.objects.filter(account=user), "endpoint", "name", "language", "made_at", "sent_at"
        ),
        "invitations": _rows(
            Invitation.objects.filter(by=user), "upload", "for_all", "made_at", "expires_at", "revoked_at"
        ),
        "invitations_used": _rows(
            InvitedName.objects.filter(account=user), "player", "player__name", "invitation__by__username", "used_at"
        ),
    }


def _own_studies(user: User) -> Row:
    """Return its studies, those it follows, and those it reported."""
    return {
        "studies": _studies(user),
        "studies_followed": _rows(StudyFollow.objects.filter(account=user), "study__key", "study__title", "since"),
        "study_reports": _reports(StudyReport.objects.filter(by=user), "study__key"),
    }


def _clubs_and_news(user: User) -> Row:
    """Return its clubs, and what was sent to it and to webhooks."""
    return {
        "clubs": _rows(ClubMember.objects.filter(account=user), "club__slug", "name", "role", "joined_at"),
        "evenings": _rows(
            Attendance.objects.filter(member__account=user), "evening__club__slug", "evening__day", "answer"
        ),
        "club_webhooks": _rows(ClubWebhook.objects.filter(by=user), "club__slug", "url", "form", "language", "made_at"),
        "webhooks": _rows(
            Delivery.objects.filter(account=user),
            "upload",
            "webhook__club__slug",
            "url",
            "made_at",
            "attempts",
            "sent_at",
        ),
        "notices": _rows(Notice.objects.filter(account=user), "kind", "noted_at", "attempts", "sent_at"),
    }


def _account(user: User) -> Row:
    return {
        "name": user.username,
        "email": user.email,
        "since": user.date_joined,
        "last_signed_in": user.last_login,
        "has_password": user.has_usable_password(),
        "groups": sorted(user.groups.values_list("name", flat=True)),
        "organises": sorted(user.organised_clubs.values_list("slug", flat=True)),
    }


def _mail_preferences(user: User) -> Row:
    preferences = preferences_of(user.pk)
    return {name: getattr(preferences, name) for name in ("language", *MailPreferences.SWITCHES)}


def _rows(rows: "QuerySet[Any]", *fields: str) -> Iterator[Row]:
    return in_chunks(rows.order_by("pk").values(*fields), _CHUNK)


def _reports(reports: "QuerySet[Any]", about: str) -> Iterator[Row]:
    return _rows(reports, about, "reason", "raised_at", "settled_at", "answer")


def _claims(user: User) -> Iterator[Row]:
    claims = Claim.objects.filter(account=user)
    return _rows(claims, "player", "player__name", "reason", "made_at", "state", "decided_at", "answer")


def _uploads(user: User) -> Iterator[Row]:
    uploads = Upload.objects.filter(uploader=user)
    fields = ("id", "via", "filename", "received_at", "scored", "private", "club__slug", "file_digest", "repeats")
    return _rows(uploads, *fields)


def _records(user: User) -> Iterator[Row]:
    logs = MoveLog.objects.filter(upload__uploader=user).select_related("game").order_by("pk")
    return map(_record, in_chunks(logs, _FEW))


def _record(log: MoveLog) -> Row:
    """Return a record as sent: as text, or in base64 if it is not text."""
    about = {"upload": log.upload_id, "number": log.number, "state": log.state, "game": log.game and log.game.key}
    try:
        return {**about, "data": bytes(log.data).decode()}
    except UnicodeDecodeError:
        return {**about, "data_base64": b64encode(bytes(log.data)).decode()}


def _games(user: User, players: "QuerySet[Player]") -> Iterator[Row]:
    """Return the games in which the account's players sit, as far as it may see them."""
    seatings = Seating.objects.filter(games_for(user, "game__"), player__in=players)
    fields = ("key", "ruleset", "verdict", "result", "played_from", "played_until", "received_at")
    return _rows(
        seatings,
        *(f"game__{name}" for name in fields),
        "game__private",
        "letter",
        "player",
        "place",
        "sheet",
    )


def _studies(user: User) -> Iterator[Row]:
    """Return the account's studies, each with its chapters.

    They are read as plain values: rows that refer to each other would stay in memory until garbage is collected.
    """
    about = ("key", "title", "visibility", "made_at", "changed_at", "hidden_for")
    chapters = StudyChapter.objects.filter(study__owner=user).order_by("study", "place", "number")
    of_study = {f"about_{name}": F(f"study__{name}") for name in about}
    rows = chapters.values(*_OF_CHAPTER, "tree", "study_id", **of_study)
    for _, found in groupby(in_chunks(rows, 1), key=lambda row: row["study_id"]):  # trees are large
        first = next(found)
        whole = [_chapter(row) for row in chain([first], found)]
        yield {**{name: first[f"about_{name}"] for name in about}, "chapters": whole}


def _chapter(row: Row) -> Row:
    return {**{name: row[name] for name in _OF_CHAPTER}, **loads(row["tree"])}


def _confirmations(user: User) -> Iterator[Row]:
    words = Confirmation.objects.filter(account=user)
    return _rows(words, "game__key", "seat", "digest", "ruleset", "how", "at", "until", "withdrawn_at")


def _disputes(user: User) -> Iterator[Row]:
    disputes = Dispute.objects.filter(account=user)
    return _rows(disputes, "game__key", "reason", "raised_at", "state", "settled_at", "answer")


def _challenges(user: User) -> Iterator[Row]:
    """Return what the account's uploads challenged."""
    raised = Challenge.objects.filter(raised_by=user)
    return _rows(raised, "game__key", "rival__key", "raised_at", "state", "settled_at", "answer")


def _ratings(players: "QuerySet[Player]") -> Iterator[Row]:
    """Return the ledger's entries, including those that were replaced later."""
    events = RatingEvent.objects.filter(player__in=players)
    before, after = ("mu_before", "sigma_before"), ("mu", "sigma")
    fields = ("number", "ladder__ruleset", "ladder__club__slug", "game__key", "player", "seat", "place")
    return _rows(events, *fields, *before, *after, "counts", "correction__kind", "at")


def _acts(user: User, players: "QuerySet[Player]") -> Iterator[Row]:
    """Return what the account decided, and what was decided about its players and the games in which they sit."""
    sat = Game.objects.filter(games_for(user), seatings__player__in=players)
    acts = Act.objects.filter(Q(by=user) | Q(player__in=players) | Q(game__in=sat))
    return _rows(acts, "kind", "at", "reason", "game__key", "player")
