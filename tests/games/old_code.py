"""Which migrations break code that was written before them, while it still runs beside the new one.

A migration says in `beside_old_code` why an operation that looks as if it did leaves older code working, by the
operation's own description. What older code uses is removed in two steps: a version that no longer uses it, and a later
migration that says `unused since`, with the name of that version's last migration.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED, ManyToManyField, UniqueConstraint

APP = "games"
SINCE = re.compile(r"unused since (\d{4}_\w+)")
Broken: TypeAlias = "str | None"
"""Why an operation breaks older code; None where it does not."""


def broken_by() -> Mapping[str, Sequence[str]]:
    """Return by the name of each migration what breaks older code, in their order."""
    return _read()[0]


def oldest() -> str:
    """Return the migration since which no code is broken: the oldest code that runs beside today's has this one."""
    return max(_read()[1])


@cache
def _read() -> tuple[dict[str, list[str]], list[str]]:
    loader = MigrationLoader(None)
    found, limits = {}, [""]
    for name in sorted(name for app, name in loader.disk_migrations if app == APP):
        migration = loader.disk_migrations[APP, name]
        before = loader.project_state((APP, name), at_end=False)
        found[name] = list(breaking(migration, before))
        limits += [name] if found[name] else _unused_since(migration)
    return found, limits


def breaking(migration: Migration, state: ProjectState) -> Iterator[str]:
    """Yield what in a migration breaks code from before it, except what it gives a reason for.

    :param state: the models before it; they are changed.
    """
    reasons: Mapping[str, str] = getattr(migration, "beside_old_code", {})
    made: set[str] = set()
    for operation in _that_change_tables(migration.operations):
        why = None if _model(operation) in made else _why(operation, state)
        if why and not _is_given(operation, reasons, migration.name):
            yield f"{operation.describe()}: {why}"
        if isinstance(operation, operations.CreateModel):
            made.add(operation.name_lower)
        operation.state_forwards(APP, state)


def _that_change_tables(sequence: Sequence[Operation]) -> Iterator[Operation]:
    for operation in sequence:
        if isinstance(operation, operations.SeparateDatabaseAndState):
            yield from _that_change_tables(operation.database_operations)
        else:
            yield operation


def _model(operation: Any) -> str:
    return str(getattr(operation, "model_name_lower", getattr(operation, "name_lower", "")))


def _is_given(operation: Operation, reasons: Mapping[str, str], name: str) -> bool:
    """Say whether a migration gives a reason for an operation, of the kind that is needed."""
    reason = reasons.get(operation.describe(), "")
    if isinstance(operation, _RENAMES):
        return False
    if isinstance(operation, _REMOVALS):
        return any(since < name for since in SINCE.findall(reason))
    return bool(reason)


def _unused_since(migration: Migration) -> list[str]:
    reasons: Mapping[str, str] = getattr(migration, "beside_old_code", {})
    return [since for reason in reasons.values() for since in SINCE.findall(reason)]


def _why(operation: Any, state: ProjectState) -> Broken:
    if isinstance(operation, _RENAMES):
        return "older code uses the name; add the new one beside it, and remove this one later"
    if isinstance(operation, _REMOVALS):
        return "older code uses it; stop using it first, and remove it later"
    return _LOOK.get(type(operation), _is_unknown)(operation, state)


def _is_unknown(_operation: Any, _state: ProjectState) -> Broken:
    return "what it does to older code is not known"


def _is_harmless(_operation: Any, _state: ProjectState) -> Broken:
    return None


def _added_field(operation: Any, _state: ProjectState) -> Broken:
    field = operation.field
    if isinstance(field, ManyToManyField):
        return None
    if not (field.null or field.db_default is not NOT_PROVIDED):
        return "older code adds rows without it; allow null, or give `db_default`"
    return "writers wait while its index is built" if field.db_index or field.unique else None


def _altered_field(operation: Any, state: ProjectState) -> Broken:
    before = _as_stored(state.models[APP, operation.model_name_lower].fields[operation.name])
    after = _as_stored(operation.field)
    longer = (before.get("max_length") or 0) <= (after.get("max_length") or before.get("max_length") or 0)
    same = {name: value for name, value in before.items() if name != "max_length"}
    now = {name: value for name, value in after.items() if name != "max_length"}
    if "db_default" not in same:
        now.pop("db_default", None)
    return None if same == now and longer else "older code writes or reads what was allowed before"


def _as_stored(field: Any) -> dict[str, Any]:
    """Return what of a field the database knows."""
    _, kind, _, given = field.deconstruct()
    left_out = {*field.non_db_attrs, "default"}
    return {"": kind} | {name: value for name, value in given.items() if name not in left_out}


def _removed_constraint(operation: Any, state: ProjectState) -> Broken:
    constraints = state.models[APP, operation.model_name_lower].options["constraints"]
    found = next(one for one in constraints if one.name == operation.name)
    return "older code may rely on it in ON CONFLICT" if isinstance(found, UniqueConstraint) else None


_RENAMES = (operations.RenameField, operations.RenameModel, operations.AlterModelTable)
_REMOVALS = (operations.RemoveField, operations.DeleteModel)
_LOOK: dict[type[Operation], Callable[[Any, ProjectState], Broken]] = {
    operations.CreateModel: _is_harmless,
    operations.AddField: _added_field,
    operations.AlterField: _altered_field,
    operations.AddConstraint: lambda _operation, _state: "older code may write rows that it refuses",
    operations.RemoveConstraint: _removed_constraint,
    operations.AddIndex: lambda _operation, _state: "writers wait while it is built; use AddIndexConcurrently",
    AddIndexConcurrently: _is_harmless,
    operations.RemoveIndex: _is_harmless,
    RemoveIndexConcurrently: _is_harmless,
    operations.RenameIndex: _is_harmless,
    operations.AlterModelOptions: _is_harmless,
    operations.AlterModelManagers: _is_harmless,
}
