"""Clubs: who is in them, their evenings and their seasons."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse


class Club(models.Model):
    """A group with ladders of its own: its organisers decide which games count for them."""

    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=80)
    about = models.TextField(blank=True, max_length=2000)
    organisers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="organised_clubs")
    created_at = models.DateTimeField()
    meets = models.CharField(max_length=120, blank=True, help_text="When and where it meets.")
    main_ruleset = models.CharField(max_length=40, blank=True, help_text="Whose ratings its table of points shows.")
    time_zone = models.CharField(
        max_length=64, default="UTC", db_default="UTC", help_text="Its name by IANA: evenings and seasons are its days."
    )
    listed_at = models.DateTimeField(null=True, help_text="Since when everybody finds it in the list of clubs.")
    listed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    unlisted_for = models.TextField(
        blank=True, max_length=1000, help_text="Why a moderator does not list it; empty while it waits for a review."
    )

    class Meta:
        """Clubs that a moderator has not looked at yet are found quickly."""

        indexes = [models.Index(fields=["id"], name="club_not_listed", condition=Q(listed_at__isnull=True))]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the club's page."""
        return reverse("club", args=[self.slug])

    def day(self, at: datetime) -> date:
        """Return which day it is for the club at some moment."""
        return at.astimezone(self.zone).date()

    @property
    def zone(self) -> ZoneInfo:
        """Return its time zone."""
        return ZoneInfo(self.time_zone)


class ClubMember(models.Model):
    """A person in a club, perhaps known by name only."""

    class Role(models.TextChoices):
        """What a member may do. Owners and organisers accept games and run the club; owners also give roles."""

        OWNER = "owner", "owner"
        ORGANISER = "organiser", "organiser"
        MEMBER = "member", "member"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="memberships"
    )
    name = models.CharField(max_length=64)
    role = models.CharField(max_length=9, choices=Role, default=Role.MEMBER)
    joined_at = models.DateTimeField()

    class Meta:
        """An account is a member once; a name without an account is listed once and has no role."""

        constraints = [
            models.UniqueConstraint(fields=["club", "account"], name="member_once"),
            models.UniqueConstraint(fields=["club", "name"], condition=Q(account=None), name="member_named_once"),
            models.CheckConstraint(
                condition=Q(account__isnull=False) | Q(role="member"), name="member_role_of_account"
            ),
            models.CheckConstraint(condition=Q(role__in=["owner", "organiser", "member"]), name="member_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.name} in {self.club_id}"


class ClubLink(models.Model):
    """A link that makes everybody who opens it a member. Only its digest is stored."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="links")
    member = models.ForeignKey(
        ClubMember,
        null=True,
        on_delete=models.CASCADE,
        related_name="links",
        help_text="Who was added by name and is to open it, once; null for a link that anyone may use.",
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    nonce = models.CharField(max_length=32)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"link to {self.club_id}"


class Evening(models.Model):
    """A date on which a club meets."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="evenings")
    day = models.DateField()
    begins = models.TimeField(null=True)
    place = models.CharField(max_length=120, blank=True)

    class Meta:
        """A club meets once a day."""

        constraints = [models.UniqueConstraint(fields=["club", "day"], name="evening_once_a_day")]

    def __str__(self) -> str:
        return f"{self.club_id} on {self.day}"


class Attendance(models.Model):
    """Whether a member says they come to an evening."""

    class Answer(models.TextChoices):
        """The answer."""

        YES = "yes", "I’m coming"
        MAYBE = "maybe", "Maybe"
        NO = "no", "Can’t"

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="attendances")
    member = models.ForeignKey(ClubMember, on_delete=models.CASCADE, related_name="attendances")
    answer = models.CharField(max_length=5, choices=Answer)

    class Meta:
        """One answer to each evening."""

        constraints = [
            models.UniqueConstraint(fields=["evening", "member"], name="attendance_once"),
            models.CheckConstraint(condition=Q(answer__in=["yes", "maybe", "no"]), name="attendance_answer_known"),
        ]

    def __str__(self) -> str:
        return f"{self.member_id}: {self.answer}"


class Season(models.Model):
    """Some months of a club, with a table of points that is kept when they are over."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=60)
    begins = models.DateField()
    ends = models.DateField()
    closed_at = models.DateTimeField(null=True)
    table = models.JSONField(null=True, help_text="The final table, once the season is closed.")
    schedule = models.JSONField(null=True, help_text="Kind, seats of a table, and the rounds with members' ids.")

    class Meta:
        """It ends after it begins; a closed season has its table."""

        constraints = [
            models.CheckConstraint(condition=Q(ends__gte=F("begins")), name="season_ends_after_it_begins"),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, table__isnull=True)
                | Q(closed_at__isnull=False, table__isnull=False),
                name="season_closed_with_its_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.club_id}"
