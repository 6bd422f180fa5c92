"""A club's webhook: where its news is sent, and when."""

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.clubs.locking import locked_club
from games.clubs.organising import check_runs
from games.clubs.reads.news import last_number, webhooks_with_new_games
from games.models import Club, ClubWebhook, Delivery, Evening, Season, WebhookKey
from games.platform.outgoing import target_of
from games.webhooks.deliveries import forget_webhooks, make_secret


@transaction.atomic
def set_webhook(
    club: Club, *, url: str, form: ClubWebhook.Form, language: str, by: AbstractBaseUser, now: datetime
) -> ClubWebhook:
    """Set where a club's news is sent, and send a greeting there. News still waiting for an earlier address is dropped.

    Messages are signed with the secret of the account that sets the address; an account without one gets one.

    :raises ClubError: when `by` does not run the club.
    :raises AddressError: when the address is not one that messages may be sent to.
    """
    club = locked_club(club.pk)
    check_runs(club, by)
    target_of(url)
    if not WebhookKey.objects.filter(account=by.pk).exists():
        make_secret(by, now=now)
    forget_webhooks(ClubWebhook.objects.filter(club=club))
    webhook = ClubWebhook.objects.create(
        club=club, by_id=by.pk, url=url, form=form, language=language, made_at=now, games_upto=last_number(club)
    )
    _queue_message(webhook, now)
    return webhook


@transaction.atomic
def remove_webhook(club: Club, *, by: AbstractBaseUser) -> None:
    """Stop sending a club's news. :raises ClubError: when `by` does not run the club."""
    check_runs(club, by)
    forget_webhooks(ClubWebhook.objects.filter(club=club))


def announce_evening(evening: Evening, *, now: datetime) -> None:
    """Announce that an evening is planned."""
    for webhook in ClubWebhook.objects.filter(club=evening.club_id):
        _queue_message(webhook, now, evening=evening)


def announce_table(season: Season, *, now: datetime) -> None:
    """Send the final table of a season."""
    for webhook in ClubWebhook.objects.filter(club=season.club_id):
        _queue_message(webhook, now, season=season)


def announce_games(*, now: datetime) -> None:
    """Announce, for every club, the games that have counted since its last message about games, all in one message."""
    for webhook in webhooks_with_new_games():
        _announce_games_of(webhook.pk, now)


@transaction.atomic
def _announce_games_of(club: int, now: datetime) -> None:
    found = webhooks_with_new_games().filter(pk=club)  # read anew: another worker may just have announced them
    webhook = found.select_for_update(skip_locked=True, of=("self",)).first()
    if webhook is None:
        return
    upto = last_number(webhook.club)
    waiting = Delivery.objects.filter(webhook=webhook, games_upto__isnull=False, attempts=0, next_at__isnull=False)
    if not waiting.update(games_upto=upto):
        _queue_message(webhook, now, games_after=webhook.games_upto, games_upto=upto)
    webhook.games_upto = upto
    webhook.save(update_fields=["games_upto"])


def _queue_message(webhook: ClubWebhook, now: datetime, **news: object) -> None:
    values = {"webhook": webhook, "account": webhook.by, "url": webhook.url, "made_at": now, "next_at": now}
    Delivery.objects.create(**values, **news)
