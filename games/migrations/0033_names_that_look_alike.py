"""What names of accounts look like; of two that look alike already, the older keeps its form."""

import unicodedata
from functools import cache

import django.db.models.deletion
from confusable_homoglyphs.confusables import confusables_data
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

# What the app does changes; what this migration does stays: all that it needs is in it.

MOST = 400
ROUNDS = 3
MARK = "\u200e"
FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")
SELECTORS = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))


def is_unseen(letter: str) -> bool:
    if letter in FILLERS or any(first <= ord(letter) <= last for first, last in SELECTORS):
        return True
    return unicodedata.category(letter) in {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def skeleton(name: str) -> str:
    form = name
    for _ in range(ROUNDS):
        form = bare(form).casefold()
    return form[:MOST]


def bare(name: str) -> str:
    seen = (letter for letter in unicodedata.normalize("NFKD", name) if not is_unseen(letter))
    return unicodedata.normalize("NFKD", "".join(map(prototype, seen)))


@cache
def prototype(letter: str) -> str:
    found = alike(letter)
    if len(found) != 1:
        return letter
    return min(letter, found[0]) if alike(found[0]) == [letter] else found[0]


def alike(letter: str) -> list[str]:
    found = confusables_data.get(letter) or confusables_data.get(f"{MARK}{letter}{MARK}") or ()
    return [str(one["c"]).strip(MARK) for one in found]


def keep_skeletons(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alias = schema_editor.connection.alias
    kept, taken = apps.get_model("games", "AccountName").objects.using(alias), set()
    for account in apps.get_model("auth", "User").objects.using(alias).order_by("pk").iterator():
        form = skeleton(account.username)
        kept.create(account_id=account.pk, skeleton=None if form in taken else form)
        taken.add(form)


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0032_seatings_of_old"),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountName",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="lookalike",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "skeleton",
                    models.CharField(
                        help_text="Of UTS 39; none where an older name looks the same.",
                        max_length=400,
                        null=True,
                        unique=True,
                    ),
                ),
            ],
        ),
        migrations.RunPython(keep_skeletons, migrations.RunPython.noop),
    ]
