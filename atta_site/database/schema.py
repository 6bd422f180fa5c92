"""How tables are changed while a site runs."""

from typing import Self

from django.db.backends.postgresql.schema import DatabaseSchemaEditor

LIMIT = "3s"
"""How long a change waits for a lock. Whoever comes after it waits behind it: uploads, too."""


class SchemaEditor(DatabaseSchemaEditor):
    """Changes tables, and gives up where a long transaction uses them; `manage.py prepare` then tries again."""

    def __enter__(self) -> Self:
        """Begin the transaction of a migration, if it has one."""
        super().__enter__()
        if self.atomic_migration and not self.collect_sql:
            with self.connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LIMIT])
        return self
