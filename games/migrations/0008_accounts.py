"""Moderators are a group; and no two names of accounts differ in case alone."""

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

ONE_NAME = "CREATE UNIQUE INDEX games_one_account_a_name ON auth_user (LOWER(username))"


def make_group(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    # Django makes permissions after all migrations only, and the group needs its own now.
    player = apps.get_model("contenttypes", "ContentType").objects.get_or_create(app_label="games", model="player")[0]
    permission = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=player,
        codename="moderate",
        defaults={"name": "Can settle claims, disputes, merges, annulments and flags"},
    )[0]
    group = apps.get_model("auth", "Group").objects.get_or_create(name="moderators")[0]
    group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_looked_to"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(make_group, migrations.RunPython.noop),
        migrations.RunSQL(ONE_NAME, "DROP INDEX games_one_account_a_name"),
    ]
