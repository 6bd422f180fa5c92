"""The shapes of requests and answers about clubs."""

from typing import Any

from django.conf import settings
from django.urls import reverse as page_of
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from engine.registry import RULESETS
from games.api.ladder_shapes import LadderListShape
from games.clubs.reads.accepted import ladders_of
from games.clubs.reads.clubs import (
    answers_for,
    member_of,
    next_evening,
    organisers_of,
    season_of,
    texts_version,
    with_answers,
)
from games.clubs.reads.points import name_of
from games.clubs.scheduling import KINDS
from games.invitations.reads.tokens import token_of
from games.models import Attendance, Club, ClubLink, ClubMember, Evening, Ladder, Season
from games.platform.time_zones import time_zones
from games.records.reads.titles import ruleset_title

_MAIN = serializers.ChoiceField(
    [ruleset.slug for ruleset in RULESETS],
    allow_blank=True,
    default="",
    help_text="The ruleset whose ratings the table of points shows; empty for all alike.",
)


class ClubShape(serializers.Serializer[Club]):
    """A group whose organisers say which games count for its own ladders."""

    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    meets = serializers.CharField(help_text="When and where it meets.")
    time_zone = serializers.CharField(help_text="Its name by IANA: evenings and seasons follow it.")
    created_at = serializers.DateTimeField()
    games = serializers.IntegerField(help_text="Games that count.")
    listed = serializers.SerializerMethodField(help_text="Whether a moderator has reviewed it.")
    url = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField()

    def get_listed(self, club: Club) -> bool:
        """Return whether it is in the public list."""
        return club.listed_at is not None

    def get_url(self, club: Club) -> str:
        """Return the club's address in this interface."""
        return reverse("api-club", [club.slug], request=self.context["request"])

    def get_page(self, club: Club) -> str:
        """Return the club's page."""
        address: str = self.context["request"].build_absolute_uri(club.get_absolute_url())
        return address


class MemberShape(serializers.Serializer[ClubMember]):
    """A member of a club."""

    id = serializers.IntegerField()
    name = serializers.SerializerMethodField()
    role = serializers.ChoiceField(ClubMember.Role.choices)
    has_account = serializers.SerializerMethodField(help_text="False for somebody who was added by name.")
    you = serializers.SerializerMethodField(help_text="Whether this is your own account.")
    joined_at = serializers.DateTimeField()

    def get_name(self, member: ClubMember) -> str:
        """Return the member's name."""
        return name_of(member)

    def get_has_account(self, member: ClubMember) -> bool:
        """Return whether the member has an account."""
        return member.account_id is not None

    def get_you(self, member: ClubMember) -> bool:
        """Return whether the reader is this member."""
        return member.account_id is not None and member.account_id == self.context["request"].user.pk


class AnswerShape(serializers.Serializer[Any]):
    """An answer to an evening that you can give: your own, or that of a member without an account."""

    member = serializers.IntegerField(help_text="The member's id.")
    name = serializers.CharField()
    answer = serializers.ChoiceField(Attendance.Answer.choices, allow_null=True)


class EveningShape(serializers.Serializer[Evening]):
    """A planned evening."""

    id = serializers.IntegerField()
    day = serializers.DateField()
    begins = serializers.TimeField(allow_null=True)
    place = serializers.CharField()
    calendar = serializers.SerializerMethodField(help_text="The address of its calendar file (iCalendar).")
    coming = serializers.SerializerMethodField(help_text="The names of the members who are coming.")
    answers = serializers.SerializerMethodField(help_text="What you can answer: for yourself and, as an organiser, "
                                                          "for members without an account.")  # fmt: skip

    def get_calendar(self, evening: Evening) -> str:
        """Return the address of its calendar file."""
        address: str = self.context["request"].build_absolute_uri(
            page_of("club-calendar", args=[evening.club.slug, evening.pk])
        )
        return address

    def get_coming(self, evening: Evening) -> list[str]:
        """Return who is coming."""
        said = [one for one in evening.attendances.all() if one.answer == Attendance.Answer.YES]
        return [name_of(one.member) for one in sorted(said, key=lambda one: (one.member.name, one.pk))]

    @extend_schema_field(AnswerShape(many=True))
    def get_answers(self, evening: Evening) -> Any:  # noqa: ANN401 (a list of plain values)
        """Return the answers that the reader can give."""
        said = {one.member_id: one.answer for one in evening.attendances.all()}
        kept: Any = self.context  # all evenings in a response belong to one club
        if "answers_for" not in kept:
            kept["answers_for"] = answers_for(evening.club, kept["request"].user)
        rows = [{"member": one.pk, "name": name_of(one), "answer": said.get(one.pk)} for one in kept["answers_for"]]
        return AnswerShape(rows, many=True).data


class SeasonShape(serializers.Serializer[Season]):
    """A season of a club; the table of a closed one is final."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    begins = serializers.DateField()
    ends = serializers.DateField()
    closed_at = serializers.DateTimeField(allow_null=True)


class PointsRowShape(serializers.Serializer[Any]):
    """A player's row in a table of points."""

    place = serializers.IntegerField(help_text="By points, then by fewer games; equal lines share a place.")
    player = serializers.IntegerField(help_text="The player's id.")
    name = serializers.CharField()
    points = serializers.FloatField(help_text="One for each player finished ahead of, ½ for each tied with.")
    games = serializers.IntegerField()
    places = serializers.ListField(
        child=serializers.IntegerField(), min_length=4, max_length=4, help_text="First to fourth places."
    )
    evenings = serializers.DictField(
        child=serializers.FloatField(), help_text="Points by evening (ISO date), of the newest twelve."
    )


class PointsShape(serializers.Serializer[Any]):
    """A table of points."""

    season = SeasonShape(allow_null=True, help_text="Null for a table of all games.")
    evenings = serializers.ListField(child=serializers.DateField(), help_text="The newest twelve.")
    games = serializers.IntegerField()
    rows = PointsRowShape(many=True)


class ScheduledTableShape(serializers.Serializer[Any]):
    """A table of a round."""

    members = serializers.ListField(child=serializers.IntegerField(), help_text="The members' ids, by seat.")
    names = serializers.ListField(child=serializers.CharField(), help_text="Empty for somebody who has left.")
    played = serializers.BooleanField(help_text="Whether a game of the season has exactly these players.")


class RoundShape(serializers.Serializer[Any]):
    """A round of a schedule."""

    number = serializers.IntegerField()
    tables = ScheduledTableShape(many=True)
    byes = serializers.ListField(child=serializers.CharField(), help_text="The names of those who do not play.")


class ScheduleBody(serializers.Serializer[Any]):
    """A schedule to draw."""

    kind = serializers.ChoiceField(
        KINDS, help_text="`round-robin`: all rounds at once. `swiss`: the first round, then one after another."
    )
    seats = serializers.IntegerField(min_value=2, max_value=4, default=2, help_text="The seats of each table.")


class ScheduleShape(ScheduleBody):
    """The schedule of a season."""

    rounds = RoundShape(many=True)


class DayRowShape(serializers.Serializer[Any]):
    """A player's points from an evening."""

    player = serializers.IntegerField(help_text="The player's id.")
    name = serializers.CharField()
    points = serializers.FloatField()


class PlayedEveningShape(serializers.Serializer[Any]):
    """An evening that was played."""

    day = serializers.DateField()
    games = serializers.IntegerField()
    rows = DayRowShape(many=True, help_text="Most points first.")


class ClubDetailShape(ClubShape):
    """A club with its organisers and ladders."""

    main_ruleset = serializers.CharField(help_text="The ruleset whose ratings its table shows; empty for all alike.")
    texts_version = serializers.SerializerMethodField(
        help_text="Changes with `name`, `about` and `meets`; a decision about listing the club names it."
    )
    organisers = serializers.SerializerMethodField(help_text="The names of the organisers' accounts.")
    your_role = serializers.SerializerMethodField(help_text="Null if you are not a member.")
    next_evening = serializers.SerializerMethodField()
    season = serializers.SerializerMethodField(help_text="The current season.")
    ladders = serializers.SerializerMethodField()

    def get_texts_version(self, club: Club) -> str:
        """Return the version of its texts."""
        return texts_version(club)

    def get_organisers(self, club: Club) -> list[str]:
        """Return the accounts that accept games for it."""
        return [account.get_username() for account in organisers_of(club)]

    @extend_schema_field(serializers.ChoiceField(ClubMember.Role.choices, allow_null=True))
    def get_your_role(self, club: Club) -> str | None:
        """Return the reader's role."""
        member = member_of(club, self.context["request"].user)
        return member.role if member else None

    @extend_schema_field(EveningShape(allow_null=True))
    def get_next_evening(self, club: Club) -> Any:  # noqa: ANN401 (plain values)
        """Return the next planned evening."""
        evening = next_evening(club, today=club.day(timezone.now()))
        return EveningShape(with_answers(evening), context=self.context).data if evening else None

    @extend_schema_field(SeasonShape(allow_null=True))
    def get_season(self, club: Club) -> Any:  # noqa: ANN401 (plain values)
        """Return the current season."""
        season = season_of(club, today=club.day(timezone.now()))
        return SeasonShape(season).data if season else None

    @extend_schema_field(LadderListShape(many=True))
    def get_ladders(self, club: Club) -> Any:  # noqa: ANN401 (a list of plain values)
        """Return the ladders for which games count."""
        rows = [self._row(club, ladder) for ladder in ladders_of(club)]
        return LadderListShape(rows, many=True).data

    def _row(self, club: Club, ladder: Ladder) -> dict[str, object]:
        request, slug = self.context["request"], ladder.ruleset
        return {
            "ruleset": slug,
            "title": ruleset_title(slug),
            "players": ladder.players,
            "url": reverse("api-club-leaderboard", [club.slug, slug], request=request),
        }


class LinkShape(serializers.Serializer[ClubLink]):
    """A link with which anyone can join."""

    link = serializers.SerializerMethodField(help_text="The link to send; null if it cannot be shown any more.")
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()

    def get_link(self, link: ClubLink) -> str | None:
        """Return the link; computing it takes the site's secret key, so the database alone does not reveal it."""
        token = token_of(link.nonce, link.digest)
        return f"{settings.SITE_URL}{page_of('club-join', args=[token])}" if token else None


class JoinShape(serializers.Serializer[ClubLink]):
    """The club that a link is for."""

    club = ClubShape()
    by = serializers.CharField(source="by.username", help_text="The account that made the link.")
    name = serializers.CharField(
        source="member.name", default=None, allow_null=True, read_only=True,
        help_text="The member, added by name, whom the link is for; null if anyone can use it.",
    )  # fmt: skip
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)


class ClubBody(serializers.Serializer[Any]):
    """A club's name and description."""

    name = serializers.CharField(max_length=80)
    about = serializers.CharField(max_length=2000, allow_blank=True, default="")
    meets = serializers.CharField(max_length=120, allow_blank=True, default="", help_text="When and where.")
    main_ruleset = _MAIN
    time_zone = serializers.ChoiceField(
        time_zones(), required=False, help_text="Its name by IANA. Default: as it is; of a new club, UTC."
    )


class NewClubBody(ClubBody):
    """A club to found."""

    slug = serializers.SlugField(max_length=40, help_text="Its address, which cannot be changed later.")
    organiser = serializers.CharField(
        max_length=150, required=False, help_text="The first organiser's account; for moderators only. Default: you."
    )


class ListingBody(serializers.Serializer[Any]):
    """A decision about whether a club is listed."""

    texts_version = serializers.CharField(
        max_length=64, help_text="`texts_version` of the club as you read it. 409 if its texts have changed since then."
    )
    reason = serializers.CharField(max_length=1000, allow_blank=True, default="")


class OrganiserBody(serializers.Serializer[Any]):
    """An account to make an organiser, or to remove as one."""

    account = serializers.CharField(max_length=150, help_text="The account's name.")


class MemberBody(serializers.Serializer[Any]):
    """A person without an account, to add by name."""

    name = serializers.CharField(max_length=64, help_text="The name, as in your logs.")


class SameBody(serializers.Serializer[Any]):
    """The member with an account who is the same person."""

    member = serializers.IntegerField(min_value=1, max_value=2**53, help_text="The id of a member with an account.")


class RoleBody(serializers.Serializer[Any]):
    """A role."""

    role = serializers.ChoiceField(ClubMember.Role.choices)


class EveningBody(serializers.Serializer[Any]):
    """An evening to plan."""

    day = serializers.DateField()
    begins = serializers.TimeField(allow_null=True, default=None)
    place = serializers.CharField(max_length=120, allow_blank=True, default="")


class AnswerBody(serializers.Serializer[Any]):
    """An answer to an evening."""

    answer = serializers.ChoiceField(Attendance.Answer.choices)
    member = serializers.IntegerField(
        min_value=1, max_value=2**53, required=False, help_text="A member without an account. Default: yourself."
    )


class SeasonBody(serializers.Serializer[Any]):
    """A season to begin."""

    name = serializers.CharField(max_length=60)
    begins = serializers.DateField()
    ends = serializers.DateField()
