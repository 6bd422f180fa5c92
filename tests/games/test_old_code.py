"""A migration leaves older code working, or says why it seems not to; what breaks older code is named."""

from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

from tests.games.old_code import APP, breaking, broken_by, oldest

BEFORE_THE_RULE = "0065_plain_names"
"""The last migration that older code does not survive; nothing had been released."""
NAME = models.CharField(max_length=20)
CHECK = models.CheckConstraint(condition=models.Q(pk__gt=0), name="one_above_none")
ONCE = models.UniqueConstraint(fields=("name",), name="one_once")

BREAKING = {
    "older code uses the name": migrations.RenameField("one", "name", "title"),
    "older code uses it": migrations.RemoveField("one", "name"),
    "older code adds rows without it": migrations.AddField("one", "more", models.IntegerField(default=0)),
    "writers wait while its index is built": migrations.AddField(
        "one", "more", models.IntegerField(null=True, db_index=True)
    ),
    "older code writes or reads what was allowed": migrations.AlterField("one", "name", models.CharField(max_length=9)),
    "older code may write rows": migrations.AddConstraint("one", CHECK),
    "older code may rely on it in ON CONFLICT": migrations.RemoveConstraint("one", "one_once"),
    "writers wait while it is built": migrations.AddIndex("one", models.Index(fields=["name"], name="one_named")),
    "what it does to older code is not known": migrations.RunSQL("SELECT 1"),
}
HARMLESS: list[Operation] = [
    migrations.AddField("one", "more", models.IntegerField(null=True)),
    migrations.AddField("one", "more", models.IntegerField(default=0, db_default=0)),
    migrations.AlterField("one", "name", models.CharField(max_length=30, help_text="Longer.")),
    migrations.AlterField("one", "name", models.CharField(max_length=20, default="", db_default="")),
    migrations.CreateModel("Two", [("id", models.BigAutoField(primary_key=True))]),
    migrations.SeparateDatabaseAndState([], [migrations.RemoveField("one", "name")]),
]


def found(*operations: Operation, name: str = "0099_it", **given: Any) -> list[str]:
    """Return what breaks older code in a migration of a table `one`."""
    migration = type("Migration", (migrations.Migration,), {"operations": operations, **given})(name, APP)
    fields: list[tuple[str, models.Field[Any, Any]]] = [("id", models.BigAutoField(primary_key=True)), ("name", NAME)]
    state = ProjectState()
    state.add_model(ModelState(APP, "One", fields, {"constraints": [ONCE], "indexes": []}))
    return list(breaking(migration, state))


def test_no_migration_since_the_rule_breaks_older_code() -> None:
    newer = {name: found for name, found in broken_by().items() if name > BEFORE_THE_RULE}
    assert {name: found for name, found in newer.items() if found} == {}, (
        "docs/contributing/migrations.md says what to do"
    )


def test_old_code_runs_from_the_last_migration_on_that_broke_any() -> None:
    assert any("Rename field trouble on movelog to failure" in line for line in broken_by()[BEFORE_THE_RULE])
    assert oldest() >= BEFORE_THE_RULE


@pytest.mark.parametrize(("why", "operation"), BREAKING.items(), ids=list(BREAKING))
def test_what_breaks_older_code_is_named(why: str, operation: Operation) -> None:
    (line,) = found(operation)
    assert line.startswith(f"{operation.describe()}: {why}")


@pytest.mark.parametrize("operation", HARMLESS, ids=lambda operation: operation.describe())
def test_what_older_code_survives_is_not_named(operation: Operation) -> None:
    assert found(operation) == []


def test_what_the_same_migration_made_may_be_changed_in_any_way() -> None:
    made = migrations.CreateModel("Two", [("id", models.BigAutoField(primary_key=True))])
    assert found(made, migrations.AddConstraint("two", CHECK), migrations.DeleteModel("Two")) == []


def test_a_reason_is_enough_but_for_renaming() -> None:
    sql, rename = migrations.RunSQL("SELECT 1"), migrations.RenameField("one", "name", "title")
    reasons = {operation.describe(): "The table is new, and nobody uses it." for operation in (sql, rename)}
    assert [line.partition(":")[0] for line in found(sql, rename, beside_old_code=reasons)] == [rename.describe()]


@pytest.mark.parametrize(
    ("reason", "is_named"),
    [("Nobody uses it.", True), ("unused since 0100_later", True), ("unused since 0098_earlier", False)],
)
def test_what_is_removed_was_unused_since_an_earlier_migration(reason: str, *, is_named: bool) -> None:
    remove = migrations.RemoveField("one", "name")
    assert bool(found(remove, beside_old_code={remove.describe(): reason})) == is_named
