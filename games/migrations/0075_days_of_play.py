"""A partly known date is a range: two columns in place of the day, filled from the day, or from the record's tags."""

import json
import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Exists, F, OuterRef, Q

_BATCH = 1_000
_TAG = re.compile(r'^\[(Date|UTCDate) "([^"]*)"\]', re.MULTILINE)
_DATE = re.compile(r"([0-9]{4})\.([0-9]{2}|\?{2})\.([0-9]{2}|\?{2})")


def fill(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Fill the columns, a batch at a time: what is done stays done if this is interrupted."""
    using = editor.connection.alias
    games, logs, verdicts = (apps.get_model("games", name).objects.using(using) for name in ("Game", "MoveLog", "Verdict"))
    known = "played_on <= (received_at AT TIME ZONE 'UTC')::date + 1"  # one in the future says nothing (AGN-TAG-6)
    dated = games.filter(played_from=None, played_on__isnull=False).extra(where=[known])
    while batch := list(dated.values_list("pk", flat=True)[:_BATCH]):
        games.filter(pk__in=batch).update(played_from=F("played_on"), played_until=F("played_on"))
    with_actions = verdicts.filter(log=OuterRef("pk"), ply__isnull=False)
    played = logs.filter(~Q(verdict="rejected") | Exists(with_actions)).order_by("game", "pk").distinct("game")
    rest = list(games.filter(played_from=None).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(rest), _BATCH):
        for game, first, last in _read(played, rest[start : start + _BATCH]):
            games.filter(pk=game).update(played_from=first, played_until=last)


def _read(logs: Any, batch: Sequence[int]) -> Iterator[tuple[int, date, date]]:
    """Yield games with the days that their first logs say, as far as they say any."""
    for log in logs.filter(game__in=batch):
        tags = _tags(log)
        for value in (tags.get("Date", ""), tags.get("UTCDate", "")):
            match = _DATE.fullmatch(value)
            days = _days(*match.groups()) if match else None
            if days and days[0] <= log.queued_at.date() + timedelta(days=1):
                yield log.game_id, *days
                break


def _tags(log: Any) -> dict[str, str]:
    """Return the tags with dates of a record that had no fault in its tags."""
    if log.form == "json" and not log.text:
        return {name: value for name, value in json.loads(bytes(log.data))["tags"].items() if name.endswith("Date")}
    text = log.text or bytes(log.data).decode(errors="replace").replace("\r\n", "\n")
    return dict(_TAG.findall(text.strip().partition("\n\n")[0]))


def _days(year: str, month: str, day: str) -> tuple[date, date]:
    first, last = (1, 12) if "?" in month else (int(month), int(month))
    if "?" in day:
        return date(int(year), first, 1), date(int(year), last, monthrange(int(year), last)[1])
    return date(int(year), first, int(day)), date(int(year), last, int(day))


class Migration(migrations.Migration):

    atomic = False
    dependencies = [
        ('games', '0074_one_key_for_names'),
    ]
    beside_old_code = {
        "Create constraint game_played_in_order on model game": "Older code writes neither column.",
        "Raw Python operation": "It only fills the new columns, which older code does not read.",
    }
    operations = [
        migrations.AddField(
            model_name='game',
            name='played_from',
            field=models.DateField(help_text='The first day on which it may have been played, by its tags; null for an unknown year.', null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='played_until',
            field=models.DateField(help_text='The last one; the same when the whole date is known.', null=True),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(
                condition=Q(played_from__isnull=True, played_until__isnull=True)
                | Q(played_from__isnull=False, played_until__gte=F('played_from')),
                name='game_played_in_order',
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState([], [migrations.RemoveField('game', 'played_on')]),
    ]
