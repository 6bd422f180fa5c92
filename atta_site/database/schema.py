"""How tables are changed while a site runs."""

from typing import Any, Self

from django.db.backends.postgresql.schema import DatabaseSchemaEditor

LIMIT = "3s"
"""How long a change waits for a lock. What comes after it waits behind it: uploads, too."""


class SchemaEditor(DatabaseSchemaEditor):
    """Changes tables, and gives up where a long transaction uses them; `manage.py prepare` then tries again."""

    def __enter__(self) -> Self:
        """Begin the transaction of a migration, if it has one."""
        super().__enter__()
        if self.atomic_migration and not self.collect_sql:
            with self.connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LIMIT])
        return self

    def add_index(self, model: Any, index: Any, concurrently: bool = False) -> None:  # noqa: ANN401, FBT001, FBT002 - Django's
        """Build an index; where it is built beside writers, what an interrupted attempt left is removed first."""
        if concurrently:
            self.remove_index(model, index, concurrently=True)
        super().add_index(model, index, concurrently=concurrently)
