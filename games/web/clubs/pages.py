"""What the pages of clubs show."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time

from django.conf import settings
from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import pgettext_lazy

from games.clubs.reads.clubs import (
    closed_seasons,
    link_of,
    links_of_names,
    may_review,
    member_of,
    members_of,
    next_evening,
    owns,
    possible_matches,
    runs,
    season_of,
    texts_version,
)
from games.clubs.reads.points import PointsRow, club_points, games_of_day, in_points, name_of
from games.invitations.reads.tokens import token_of
from games.ladders.reads.ladders import LeaderboardRow
from games.models import Attendance, Club, ClubLink, ClubMember, Evening, Season, Standing
from games.playing.reads.people import NOBODY, Person
from games.records.reads.games import with_seats
from games.records.reads.titles import ruleset_title
from games.records.reads.visibility import Viewer
from games.web.boards import Drawn
from games.web.clubs.facts import ClubFacts, club_facts
from games.web.invitations.qr import qr_code
from games.web.lists import Part, part_of_known
from games.web.persons import person
from games.web.play.lobby import TableRow, tables_with
from games.web.rows import GameRow, rows_of

ROLES: dict[str, str | Promise] = {
    "owner": pgettext_lazy("of a club", "owner"),
    "organiser": pgettext_lazy("of a club", "organiser"),
    "member": pgettext_lazy("of a club", "member"),
}
ANSWERS: dict[str, str | Promise] = {
    "yes": pgettext_lazy("to an evening", "I’m coming"),
    "maybe": pgettext_lazy("to an evening", "Maybe"),
    "no": pgettext_lazy("to an evening", "Can’t"),
}
_COLUMNS = 3
"""Evenings in the table of points; all of them are in its files."""
MOST_LINES = 200
"""Of the table of points on the page; the CSV file has all."""
_TABLES = 6
_LATEST = 30
"""Games of the last evening."""


@dataclass(frozen=True, slots=True)
class PointsShown:
    """A row of the table of points."""

    place: int
    climbed: int
    fell: int
    name: str
    picture: SafeString
    url: str
    mine: bool
    cells: tuple["Cell", ...]
    points: str
    games: int
    each: float
    rating: int | None
    provisional: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's points from one evening."""

    points: str
    """Empty for members who were not there."""
    best: bool
    last: bool


@dataclass(frozen=True, slots=True)
class MemberShown:
    """A member."""

    number: int
    name: str
    role: str
    role_word: str | Promise
    has_account: bool
    mine: bool
    same: tuple["MemberShown", ...] = ()
    """Who may be this member, known by name only: members with an account who go by the name."""
    link: str = ""
    """By which this member, known by name only, joins."""


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """A member's answer to an evening."""

    number: int
    name: str
    answer: str
    mine: bool
    may_answer: bool


@dataclass(frozen=True, slots=True)
class EveningShown:
    """A planned evening."""

    number: int
    day: date
    begins: time | None
    place: str
    calendar: str
    in_days: int
    coming: tuple[str, ...]
    answers: tuple[AnswerShown, ...]
    may_answer: bool
    """Whether the reader answers for somebody."""


@dataclass(frozen=True, slots=True)
class DayShown:
    """An evening that was played."""

    day: date
    games: int
    won_by: str
    points: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LinkShown:
    """The link for joining the club."""

    address: str | None
    code: Drawn | None
    until: datetime


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do in a new club."""

    name: str
    done: bool
    now: bool


@dataclass(frozen=True, slots=True)
class ClubPage:
    """All that a club's page shows."""

    slug: str
    meets: str
    listed: bool
    may_review: bool
    """Whether the reader decides whether it is listed."""
    texts_version: str
    """Of the texts that the reader decides about."""
    unlisted_for: str
    """Why a moderator does not list it; for those who run it."""
    member: bool
    runs: bool
    owns: bool
    games: int
    members: tuple[MemberShown, ...]
    season: Season | None
    closed: tuple[Season, ...]
    evenings: tuple[date, ...]
    table: tuple[PointsShown, ...]
    main_ruleset: str
    next: EveningShown | None
    link: LinkShown | None
    last_day: DayShown | None
    last_games: tuple[GameRow, ...]
    days: Part[DayShown]
    """Earlier evenings."""
    steps: tuple[Step, ...]
    facts: ClubFacts
    tables: tuple[TableRow, ...]
    """Some of the tables of this site at which members sit, for everybody to join or watch."""
    answers: dict[str, str | Promise]

    @property
    def has_ratings(self) -> bool:
        """Return whether anybody in the table has a rating."""
        return any(row.rating is not None for row in self.table)


def club_page(club: Club, reader: Viewer, query: QueryDict, *, now: datetime) -> ClubPage:
    """Return all that a club's page shows to a reader.

    Long because it has a line for each field.
    """
    today = club.day(now)
    season = season_of(club, today=today)
    points = club_points(club, season)
    table, played = points.table, points.played
    evenings = table.evenings[-_COLUMNS:]
    members = members_of(club)
    mine = member_of(club, reader)
    may_run = runs(club, reader)
    evening = next_evening(club, today=today)
    days = tuple(played)

    def shown(day: date) -> DayShown:
        return _day(day, played[day], points.rows)

    return ClubPage(
        slug=club.slug,
        meets=club.meets,
        listed=club.listed_at is not None,
        may_review=may_review(club, reader),
        texts_version=texts_version(club),
        unlisted_for=club.unlisted_for if may_run or may_review(club, reader) else "",
        member=mine is not None,
        runs=may_run,
        owns=owns(club, reader),
        games=points.games,
        members=_members(club, members, reader, now) if may_run else tuple(_member(one, reader) for one in members),
        season=season,
        closed=tuple(closed_seasons(club)),
        evenings=evenings,
        table=_lines(club, table.rows, evenings, reader),
        main_ruleset=ruleset_title(club.main_ruleset) if club.main_ruleset else "",
        next=_evening(evening, members, reader, today, may_run=may_run) if evening else None,
        link=_link(club, now) if may_run else None,
        last_day=shown(days[0]) if days else None,
        last_games=tuple(rows_of(list(with_seats(games_of_day(club, days[0]))[:_LATEST]))) if days else (),
        days=part_of_known("evenings", days[1:], shown, query),
        steps=_steps(members, evening, days) if may_run else (),
        facts=club_facts(club, reader, query),
        tables=_tables(members, reader, now),
        answers=ANSWERS,
    )


def _tables(members: list[ClubMember], reader: Viewer, now: datetime) -> tuple[TableRow, ...]:
    accounts = [member.account_id for member in members if member.account_id]
    viewer = Person(account=reader) if reader.is_authenticated else NOBODY
    return tables_with(accounts, viewer, _TABLES, now=now) if accounts else ()


def _lines(
    club: Club, rows: tuple[PointsRow, ...], evenings: tuple[date, ...], reader: Viewer
) -> tuple[PointsShown, ...]:
    best = {day: max((row.evenings.get(day, 0) for row in rows), default=0) for day in evenings}
    shown = rows[:MOST_LINES]
    ratings = _ratings(club, [row.player for row in shown])

    def line(row: PointsRow) -> PointsShown:
        standing = ratings.get(row.player)
        cells = (
            Cell(
                in_points(row.evenings[day]) if day in row.evenings else "",
                row.evenings.get(day, 0) == best[day] > 0,
                day == evenings[-1],
            )
            for day in evenings
        )
        return PointsShown(
            place=row.place,
            climbed=max(row.climbed, 0),
            fell=max(-row.climbed, 0),
            name=row.name,
            picture=person(row.player, row.name, "small"),
            url=reverse("player", args=[row.player]),
            mine=reader.is_authenticated and row.account == reader.pk,
            cells=tuple(cells),
            points=in_points(row.halves),
            games=row.games,
            each=row.halves / 2 / row.games,
            rating=LeaderboardRow(0, standing).rating if standing else None,
            provisional=standing is not None and LeaderboardRow(0, standing).provisional is not None,
        )

    return tuple(map(line, shown))


def _ratings(club: Club, players: list[int]) -> dict[int, Standing]:
    """Return the ratings on a club's ladder: that of its main ruleset, or its only one."""
    ladders = [ladder.pk for ladder in club.ladders.all() if club.main_ruleset in ("", ladder.ruleset)]
    if len(ladders) != 1:
        return {}
    return {one.player_id: one for one in Standing.objects.filter(ladder=ladders[0], player__in=players)}


def _members(club: Club, members: list[ClubMember], reader: Viewer, now: datetime) -> tuple[MemberShown, ...]:
    """Return members; those who run the club also see possible duplicates and the links made for names."""
    same, links = possible_matches(members), links_of_names(club, now)

    def shown(member: ClubMember) -> MemberShown:
        others = tuple(_member(one, reader) for one in same.get(member.pk, ()))
        link = links.get(member.pk)
        return replace(_member(member, reader), same=others, link=(_address_of(link) if link else None) or "")

    return tuple(map(shown, members))


def _member(member: ClubMember, reader: Viewer) -> MemberShown:
    return MemberShown(
        number=member.pk,
        name=name_of(member),
        role=member.role,
        role_word=ROLES[member.role],
        has_account=member.account is not None,
        mine=reader.is_authenticated and member.account_id == reader.pk,
    )


def _evening(
    evening: Evening, members: list[ClubMember], reader: Viewer, today: date, *, may_run: bool
) -> EveningShown:
    said = dict(evening.attendances.values_list("member", "answer"))
    answers = tuple(
        AnswerShown(
            number=member.pk,
            name=name_of(member),
            answer=said.get(member.pk, ""),
            mine=reader.is_authenticated and member.account_id == reader.pk,
            may_answer=may_run and member.account_id is None,
        )
        for member in members
    )
    return EveningShown(
        number=evening.pk,
        day=evening.day,
        begins=evening.begins,
        place=evening.place,
        calendar=reverse("club-calendar", args=[evening.club.slug, evening.pk]),
        in_days=(evening.day - today).days,
        coming=tuple(one.name for one in answers if one.answer == Attendance.Answer.YES),
        answers=answers,
        may_answer=any(one.mine or one.may_answer for one in answers),
    )


def _day(day: date, games: int, rows: tuple[PointsRow, ...]) -> DayShown:
    there = sorted((row for row in rows if day in row.evenings), key=lambda row: (-row.evenings[day], row.name))
    return DayShown(
        day=day,
        games=games,
        won_by=there[0].name if there else "",
        points=in_points(there[0].evenings[day]) if there else "",
        players=tuple(f"{row.name} {in_points(row.evenings[day])}" for row in there),
    )


def _link(club: Club, now: datetime) -> LinkShown | None:
    link = link_of(club)
    if link is None or link.expires_at <= now:
        return None
    address = _address_of(link)
    return LinkShown(address, qr_code(address) if address else None, link.expires_at)


def _address_of(link: ClubLink) -> str | None:
    token = token_of(link.nonce, link.digest)
    return f"{settings.SITE_URL}{reverse('club-join', args=[token])}" if token else None


def _steps(members: list[ClubMember], evening: Evening | None, days: tuple[date, ...]) -> tuple[Step, ...]:
    """Return the first steps of a new club; none once it has games and somebody has joined."""
    planned = evening is not None or bool(days)
    done = {"found": True, "invite": len(members) > 1, "evening": planned, "games": bool(days)}
    if all(done.values()):
        return ()
    following = next(name for name, is_done in done.items() if not is_done)
    return tuple(Step(name, is_done, name == following) for name, is_done in done.items())
