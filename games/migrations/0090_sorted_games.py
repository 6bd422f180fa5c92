from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0089_comments_counted"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="acceptance",
            index=models.Index(
                condition=models.Q(("number__isnull", False), ("rating__isnull", True)),
                fields=["id"],
                name="acceptance_unread",
            ),
        ),
        AddIndexConcurrently(
            model_name="acceptance",
            index=models.Index(
                models.OrderBy(models.F("rating"), descending=True),
                models.OrderBy(models.F("game"), descending=True),
                condition=models.Q(("rating__isnull", False)),
                name="acceptance_best_rated",
            ),
        ),
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(
                models.OrderBy(models.F("plies"), descending=True),
                models.OrderBy(models.F("id"), descending=True),
                name="game_longest",
            ),
        ),
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(
                models.OrderBy(models.F("comment_count"), descending=True),
                models.OrderBy(models.F("id"), descending=True),
                condition=models.Q(("comment_count__gt", 0)),
                name="game_most_comments",
            ),
        ),
        AddIndexConcurrently(
            model_name="gameevents",
            index=models.Index(
                condition=models.Q(("lead_changes__isnull", True)), fields=["game"], name="game_tension_due"
            ),
        ),
        AddIndexConcurrently(
            model_name="gameevents",
            index=models.Index(
                models.OrderBy(models.F("lead_changes"), descending=True),
                models.OrderBy(models.F("game"), descending=True),
                condition=models.Q(("lead_changes__isnull", False)),
                name="game_most_lead_changes",
            ),
        ),
        AddIndexConcurrently(
            model_name="gameevents",
            index=models.Index(
                models.OrderBy(models.F("closeness"), descending=True),
                models.OrderBy(models.F("game"), descending=True),
                condition=models.Q(("closeness__isnull", False)),
                name="game_closest",
            ),
        ),
    ]
