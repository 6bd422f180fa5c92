"""The texts of mails, in the active language.

Only moderators' reasons are quoted: no mail contains what strangers write.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from engine.quoting import printable
from games.consent.reads.eligibility import waiting_in
from games.models import Challenge, Claim, Dispute, Game, Notice, Study, Table
from games.notices.reads import changed_for, news_for
from games.platform.lookalikes import name_with_marks
from games.platform.without_account import shown_name
from games.records.reads.titles import ladder_title, ruleset_title

Kind = Notice.Kind


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail in plain text."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a mail: a sentence, a link, and a moderator's reason."""

    subject: str
    sentence: str
    path: str
    reason: str = ""


def write(account: int, notices: Sequence[Notice], *, now: datetime) -> Mail | None:
    """Write an account's mail; None if everything in it has been settled by now."""
    matters = [_WRITERS[Kind(notice.kind)](notice) for notice in notices if notice.kind in _WRITERS]
    if wanted := [notice.upload for notice in notices if notice.upload]:
        matters += _waiting(waiting_in(wanted, account, now=now))
    matters += [turn_item(notice.table) for notice in notices if notice.table and is_turn_of(account, notice.table)]
    matters += [item for notice in notices if (item := _news(account, notice))]
    if not matters:
        return None
    subject = matters[0].subject
    if len(matters) > 1:
        subject = ngettext("{count} notice", "{count} notices", len(matters)).format(count=len(matters))
    return Mail(f"Atta: {subject}", "\n\n".join([*map(_paragraph, matters), _foot()]) + "\n")


def _paragraph(item: Item) -> str:
    reason = gettext("Reason: {reason}").format(reason=item.reason) if item.reason else ""
    return "\n".join(part for part in (item.sentence, reason, f"{settings.SITE_URL}{item.path}") if part)


def _foot() -> str:
    said = gettext("Choose which mails you get, and in which language:")
    return f"--\nAtta, {settings.SITE_URL}\n{said} {settings.SITE_URL}{reverse('account-mails')}"


def _claim_made(notice: Notice) -> Item:
    claim = _claim(notice)
    if claim.approved_from:
        return _claim_to_contest(claim)
    said = gettext("{account} claims the name {name}. You uploaded this name first, so you can decide:")
    return Item(
        subject=gettext("a claim to decide"),
        sentence=said.format(account=claim.account.get_username(), name=_plain(name_with_marks(claim.player.name))),
        path=reverse("claim", args=[claim.pk]),
    )


def _claim_to_contest(claim: Claim) -> Item:
    said = gettext(
        "{account} claims the name {name}, which played at your table. The claim will be approved on {day} unless you "
        "contest it."
    )
    day = date_format(claim.approved_from, "SHORT_DATE_FORMAT") if claim.approved_from else ""
    return Item(
        subject=gettext("a claim that you can contest"),
        sentence=said.format(
            account=claim.account.get_username(), name=_plain(name_with_marks(claim.player.name)), day=day
        ),
        path=reverse("claim", args=[claim.pk]),
    )


def _claim_contested(notice: Notice) -> Item:
    claim = _claim(notice)
    said = gettext("Your claim to the name {name} is contested. A moderator will decide.")
    return Item(
        subject=gettext("your claim is contested"),
        sentence=said.format(name=_plain(name_with_marks(claim.player.name))),
        path=reverse("claim", args=[claim.pk]),
    )


def _claim_decided(notice: Notice) -> Item:
    claim = _claim(notice)
    if claim.state == Claim.State.APPROVED:
        said = gettext(
            "Your claim to the name {name} was approved. You can now confirm its games; confirmed games are rated."
        )
    else:
        said = gettext("Your claim to the name {name} was refused.")
    sentence = said.format(name=_plain(name_with_marks(claim.player.name)))
    return Item(gettext("your claim was decided"), sentence, reverse("claim", args=[claim.pk]))


def _claim_revoked(notice: Notice) -> Item:
    claim = _claim(notice)
    return Item(
        subject=gettext("your claim was revoked"),
        sentence=gettext("The name {name} no longer belongs to your account.").format(
            name=_plain(name_with_marks(claim.player.name))
        ),
        path=reverse("claim", args=[claim.pk]),
        reason=_plain(claim.answer),
    )


def _waiting(games: int) -> list[Item]:
    """Return one item for all games that wait; nothing when there are none."""
    if not games:
        return []
    said = ngettext(
        "{count} game with one of your players was uploaded. It is rated once every player has confirmed it.",
        "{count} games with your players were uploaded. Each is rated once every player has confirmed it.",
        games,
    )
    subject = ngettext("{count} game to confirm", "{count} games to confirm", games)
    return [Item(subject.format(count=games), said.format(count=games), reverse("account-waiting"))]


def _dispute_raised(notice: Notice) -> Item:
    dispute = _dispute(notice)
    said = gettext("{account} disputes game {key} ({ruleset}), in which you played. A moderator will decide.")
    by = dispute.account.get_username() if dispute.account else gettext("A deleted account")
    return Item(
        gettext("one of your games is disputed"), said.format(account=by, **_game(dispute.game)), _page(dispute)
    )


def _dispute_settled(notice: Notice) -> Item:
    dispute = _dispute(notice)
    said = {
        Dispute.State.UPHELD: gettext("The dispute about game {key} ({ruleset}) was upheld: the game is not rated."),
        Dispute.State.DISMISSED: gettext("The dispute about game {key} ({ruleset}) was dismissed."),
    }.get(Dispute.State(dispute.state), gettext("The dispute about game {key} ({ruleset}) was withdrawn."))
    return Item(
        gettext("a dispute is settled"), said.format(**_game(dispute.game)), _page(dispute), _plain(dispute.answer)
    )


def _seating_raised(notice: Notice) -> Item:
    challenge = _challenge(notice)
    said = gettext("Two uploads name different players for the moves of game {key} ({ruleset}). Say which is right.")
    path = f"{challenge.game.get_absolute_url()}#seatings"
    return Item(gettext("uploads of a game name different players"), said.format(**_game(challenge.game)), path)


def _seating_settled(notice: Notice) -> Item:
    challenge = _challenge(notice)
    said = gettext("It is settled who played game {key} ({ruleset}).").format(**_game(challenge.game))
    path = f"{challenge.game.get_absolute_url()}#consent"
    return Item(gettext("it is settled who played a game"), said, path, _plain(challenge.answer))


def _corrected(notice: Notice) -> Item:
    correction = notice.correction
    acceptance = correction.acceptance if correction else None
    assert acceptance  # noqa: S101 - the row is about nothing else
    assert correction  # noqa: S101
    game, annulled = acceptance.game, notice.kind == Kind.GAME_ANNULLED
    subject = gettext("one of your games was annulled") if annulled else gettext("one of your games is rated again")
    said = (
        gettext("Game {key} was annulled and is no longer rated for {ladder}.")
        if annulled
        else gettext("Game {key} is rated again for {ladder}.")
    )
    sentence = said.format(key=game.key, ladder=ladder_title(acceptance.ladder))
    return Item(subject, sentence, f"{game.get_absolute_url()}#consent", _plain(correction.reason))


def is_turn_of(account: int, table: Table) -> bool:
    """Return whether it is an account's turn at a table."""
    return bool(table.turn) and table.seats.filter(letter=table.turn, account=account).exists()


def turn_item(table: Table) -> Item:
    """Return the item for somebody whose turn it is at a table."""
    names = table.seats.exclude(letter=table.turn).order_by("joined").values_list("name", flat=True)
    others = ", ".join(map(shown_name, names))
    said = gettext("It is your turn in {ruleset} against {others}.")
    return Item(
        subject=gettext("your turn"),
        sentence=said.format(ruleset=ruleset_title(table.ruleset), others=_plain(name_with_marks(others))),
        path=reverse("table", args=[table.key]),
    )


def _news(account: int, notice: Notice) -> Item | None:
    """Return the item for comments or a study; none when there is nothing new for the account any more."""
    if notice.kind == Kind.COMMENTED and (game := news_for(account, notice)):
        return _commented(game)
    if notice.kind == Kind.STUDY_CHANGED and (study := changed_for(account, notice)):
        return _study_changed(study)
    return None


def _commented(game: Game) -> Item:
    said = gettext("There are new comments on game {key} ({ruleset}), on which you commented.")
    path = f"{game.get_absolute_url()}#comments"
    return Item(gettext("new comments on a game"), said.format(**_game(game)), path)


def _study_changed(study: Study) -> Item:
    said = gettext("A study by {account} that you follow has changed.")
    sentence = said.format(account=study.owner.get_username())
    return Item(gettext("a study that you follow has changed"), sentence, study.get_absolute_url())


_WRITERS: dict[Notice.Kind, Callable[[Notice], Item]] = {
    Kind.CLAIM_MADE: _claim_made,
    Kind.CLAIM_DECIDED: _claim_decided,
    Kind.CLAIM_REVOKED: _claim_revoked,
    Kind.CLAIM_CONTESTED: _claim_contested,
    Kind.DISPUTE_RAISED: _dispute_raised,
    Kind.DISPUTE_SETTLED: _dispute_settled,
    Kind.GAME_ANNULLED: _corrected,
    Kind.GAME_RESTORED: _corrected,
    Kind.SEATING_RAISED: _seating_raised,
    Kind.SEATING_SETTLED: _seating_settled,
}


def _claim(notice: Notice) -> Claim:
    assert notice.claim  # noqa: S101 - the row is about nothing else
    return notice.claim


def _challenge(notice: Notice) -> Challenge:
    assert notice.challenge  # noqa: S101 - the row is about nothing else
    return notice.challenge


def _dispute(notice: Notice) -> Dispute:
    assert notice.dispute  # noqa: S101 - the row is about nothing else
    return notice.dispute


def _page(dispute: Dispute) -> str:
    return f"{dispute.game.get_absolute_url()}#consent"


def _game(game: Game) -> dict[str, str]:
    return {"key": game.key, "ruleset": ruleset_title(game.ruleset)}


def _plain(text: str) -> str:
    """Return one line without control characters and invisible ones."""
    return printable(text, " ")
