"""One person, one player: names that differ only in how their text was typed (NFC, spaces) are merged.

What nothing but seats names is merged at once. A player with a history, as of ratings or claims, is merged by a
correction, as moderators merge players: the worker performs it, and the ladders are computed again from there.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Any
from unicodedata import normalize
from uuid import uuid4

from django.conf import settings
from django.db import migrations
from django.utils import timezone

REASON = "The same name, typed in another form of the same text."
REVOKED = "The same name, typed in another form, was claimed before by another account."
TYPED = "[^ -~]|^ | $|  "
"""What a name has that may have another key: other characters than those of ASCII, or spaces beside others."""
SEATING_LENGTH = 32
CHUNK = 2000
NAMING = (
    ("Player", "merged_into"), ("Claim", "player"), ("InvitedName", "player"), ("Follow", "player"),
    ("Flag", "player"), ("Act", "player"), ("Correction", "player"), ("Correction", "into"), ("Standing", "player"),
    ("BestRank", "player"), ("RatingEvent", "player"), ("SnapshotRow", "player"),
)  # fmt: skip
"""What names players besides seats."""

Key = tuple[str, str]


def name_key(text: str) -> str:
    """Return a name as it is looked up, as the engine says."""
    return " ".join(normalize("NFC", text).split())



def key_of(player: Any) -> Key:
    """Return a player's source and name as they are looked up."""
    return name_key(player.source), name_key(player.name)


class Merging:
    """The merging of all names, with what was done."""

    def __init__(self, apps: Any, alias: str) -> None:
        self.apps, self.alias = apps, alias
        self.users = apps.get_model(*settings.AUTH_USER_MODEL.split(".")).objects.using(alias)
        self.players = self.rows("Player")
        self.done: Counter[str] = Counter()

    def rows(self, model: str) -> Any:
        """Return the rows of a model as it is at this migration."""
        return self.apps.get_model("games", model).objects.using(self.alias)

    @cached_property
    def now(self) -> datetime:
        """When it happens."""
        return timezone.now()

    def run(self) -> None:
        """Merge, rename and digest again; say what was done."""
        games: set[int] = set()
        for key, rows in self._groups():
            seats = self.rows("Seating").filter(player__in=[row.pk for row in rows])
            games.update(seats.values_list("game", flat=True))
            self._merge(key, rows)
        self._digest_seatings(games)
        self._name_logs()
        self._name_members()
        self._name_accounts()
        for what, count in sorted(self.done.items()):
            sys.stdout.write(f"\n    names: {count} {what}")

    # Players

    def _groups(self) -> Iterator[tuple[Key, list[Any]]]:
        """Yield the players of each key of which one is stored in another form, the oldest first."""
        typed = self.players.filter(name__regex=TYPED) | self.players.filter(source__regex=TYPED)
        groups: defaultdict[Key, list[Any]] = defaultdict(list)
        for player in typed.order_by("pk").iterator(CHUNK):
            if (player.source, player.name) != key_of(player):
                groups[key_of(player)].append(player)
        for (source, name), rows in groups.items():
            named = [*rows, *self.players.filter(source=source, name=name)]
            yield (source, name), sorted(named, key=lambda row: row.pk)

    def _merge(self, key: Key, rows: list[Any]) -> None:
        wholes = {row.pk: self._whole(row) for row in rows}
        into = min(wholes.values(), key=self._rank)
        bearer = into if into.pk in wholes else next(row for row in rows if wholes[row.pk].pk == into.pk)
        left = [bearer]
        for row in rows:
            if row.pk == bearer.pk or self._seated_elsewhere(row, bearer):
                continue
            left.append(row)
            if wholes[row.pk].pk != into.pk:
                self._order(wholes[row.pk], into)
        self._name(bearer, key, left, introduced_by=rows[0].introduced_by_id)

    def _whole(self, row: Any) -> Any:
        return self.players.get(pk=row.merged_into_id) if row.merged_into_id else row

    def _rank(self, whole: Any) -> tuple[bool, float, int]:
        """Order players by who keeps the name: those with an account, whoever had the name first, then by age."""
        claims = self.rows("Claim").filter(player=whole.pk, state="approved")
        since = claims.values_list("decided_at", flat=True).first()
        return whole.account_id is None, since.timestamp() if since else float(whole.pk), whole.pk

    def _seated_elsewhere(self, row: Any, bearer: Any) -> bool:
        """Give the seats of a player to another and delete the row, if nothing else names it."""
        seatings = self.rows("Seating")
        shared = seatings.filter(player=row.pk, game__in=seatings.filter(player=bearer.pk).values("game"))
        if row.account_id or row.is_pseudonym or row.merged_into_id or shared.exists():
            return False
        if any(self.rows(model).filter(**{field: row.pk}).exists() for model, field in NAMING):
            return False
        seatings.filter(player=row.pk).update(player=bearer.pk)
        self.players.filter(pk=bearer.pk).update(unsettled_after=0)
        self.players.filter(pk=row.pk).delete()
        self.done["players merged at once"] += 1
        return True

    def _order(self, whole: Any, into: Any) -> None:
        """Order, once, that a player with a history is merged into another, and have that one's invitations follow."""
        order = {"kind": "merge", "player": whole, "into": into, "order": None}
        if self.rows("Correction").filter(**order).exists():
            return
        if whole.account_id and whole.account_id != into.account_id:
            self._revoke(whole)
        claims = self.rows("Claim")
        asked = claims.filter(player=into.pk, state="open").values("account")
        claims.filter(player=whole.pk, state="open").exclude(account__in=asked).update(player=into.pk)
        names = self.rows("InvitedName")
        there = names.filter(player=into.pk).values("invitation")
        names.filter(player=whole.pk, used_at=None).exclude(invitation__in=there).update(player=into.pk)
        self._note("players-merged", whole, {"into": into.pk}, REASON)
        self.rows("Correction").create(**order, reason=REASON, ordered_at=self.now)
        self.done["players to be merged by the worker, with their ratings"] += 1

    def _revoke(self, whole: Any) -> None:
        for claim in self.rows("Claim").filter(player=whole.pk, state="approved"):
            claim.state, claim.decided_at, claim.answer = "revoked", self.now, REVOKED
            claim.save()
            self._note("claim-revoked", whole, {"claim": claim.pk}, REVOKED)
            sys.stdout.write(f"\n    names: account {claim.account_id} no longer has the name of player {whole.pk}")
        self.players.filter(pk=whole.pk).update(account=None, unsettled_after=0)

    def _note(self, kind: str, player: Any, params: dict[str, int], reason: str) -> None:
        self.rows("Act").create(kind=kind, at=self.now, reason=reason, player=player, params=params)

    def _name(self, bearer: Any, key: Key, left: Iterable[Any], *, introduced_by: int | None) -> None:
        """Give one row the name as it is looked up; whoever has that name now gets the other form."""
        source, name = key
        if (bearer.source, bearer.name) != key:
            for row in left:
                if (row.source, row.name) == key:
                    self.players.filter(pk=row.pk).update(name=uuid4().hex)
                    self.players.filter(pk=bearer.pk).update(name=name, source=source)
                    self.players.filter(pk=row.pk).update(name=bearer.name, source=bearer.source)
                    break
            else:
                self.players.filter(pk=bearer.pk).update(name=name, source=source)
            self.done["players renamed"] += 1
        self.players.filter(pk=bearer.pk).update(introduced_by=introduced_by)

    # What follows from the names

    def _digest_seatings(self, games: Iterable[int]) -> None:
        """Digest who sat where again. Of private games that are the same now, the later ones lead to the first."""
        for game in self.rows("Game").filter(pk__in=games).exclude(seating="").order_by("pk"):
            seats = game.seatings.order_by("seat").values_list("letter", "player__name", "player__source")
            source = min((name_key(source) for _, _, source in seats), default="")
            identity = "\n".join([source, *(letter + name_key(name) for letter, name, _ in seats)])
            digest = sha256(identity.encode()).hexdigest()[:SEATING_LENGTH]
            others = self.rows("Game").filter(digest=game.digest, seating=digest).exclude(pk=game.pk)
            if game.private and game.owner_id and game.same_as_id is None:
                first = others.filter(owner=game.owner_id, same_as=None).first()
                game.same_as = first
                self.done["games found to be the same as others"] += first is not None
            elif not game.upheld and others.filter(private=False).exists():
                continue  # the moves have this seating already, and this game's address leads there
            game.seating = digest
            game.save(update_fields=["seating", "same_as"])

    def _name_logs(self) -> None:
        """Store the names of each log as they are looked up; its bytes stay."""
        logs, last = self.rows("MoveLog"), 0
        typed = logs.extra(where=["seats::text ~ %s"], params=['[^ -~]|" |[^,] "|  ']).order_by("pk")
        while rows := list(typed.filter(pk__gt=last).values_list("pk", "seats")[:CHUNK]):
            for last, seats in rows:
                due = [[letter, name_key(name)] for letter, name in seats]
                self.done["records with other names"] += due != seats and logs.filter(pk=last).update(seats=due)

    def _name_members(self) -> None:
        """Name members of clubs as they are looked up; who was listed twice without an account is listed once."""
        members = self.rows("ClubMember")
        for member in members.filter(name__regex=TYPED).order_by("pk"):
            name = name_key(member.name)
            same = members.filter(club=member.club_id, account=None, name=name).exclude(pk=member.pk).first()
            if name == member.name or not name:
                continue
            if member.account_id is None and same:
                self._join(member, same)
            else:
                members.filter(pk=member.pk).update(name=name[:64])
            self.done["members of clubs renamed"] += 1

    def _join(self, member: Any, same: Any) -> None:
        """Give what a member answered, and places in schedules, to the same one, and delete the row."""
        attendances = self.rows("Attendance")
        answered = attendances.filter(member=same.pk).values("evening")
        attendances.filter(member=member.pk).exclude(evening__in=answered).update(member=same.pk)
        self.rows("ClubLink").filter(member=member.pk).update(member=same.pk)
        for season in self.rows("Season").filter(club=member.club_id, schedule__isnull=False):
            for part in season.schedule["rounds"]:
                tables = [*part["tables"], part["byes"]]
                if any(member.pk in seats and same.pk in seats for seats in tables):
                    continue
                part["tables"] = [[same.pk if one == member.pk else one for one in seats] for seats in part["tables"]]
                part["byes"] = [same.pk if one == member.pk else one for one in part["byes"]]
            season.save(update_fields=["schedule"])
        member.delete()

    def _name_accounts(self) -> None:
        """Name accounts that were made on the server as they are looked up, where no other has that name."""
        for user in self.users.filter(username__regex=TYPED).order_by("pk"):
            name = name_key(user.username)
            if name and name != user.username and not self.users.filter(username__iexact=name).exists():
                self.users.filter(pk=user.pk).update(username=name)
                self.done["accounts renamed"] += 1


def merge(apps: Any, schema_editor: Any) -> None:
    """Merge what is the same under the key."""
    Merging(apps, schema_editor.connection.alias).run()


class Migration(migrations.Migration):
    """Changes rows that are stored in another form, and no table."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0073_token_use"),
    ]
    beside_old_code = {
        "Raw Python operation": "Older code adds players by the names that it reads, as before; fsck names what it adds."
    }
    operations = [migrations.RunPython(merge, migrations.RunPython.noop)]
