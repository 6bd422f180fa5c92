"""Plain names for stored values and columns: corrections, splits, dry runs, confirmations and what mails are about."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Acts are append-only, so the trigger is off while one kind gets its new name.
VALUES = """
UPDATE games_correction SET kind = 'split' WHERE kind = 'parting';
ALTER TABLE games_act DISABLE TRIGGER append_only;
UPDATE games_act SET kind = 'players-split' WHERE kind = 'players-parted';
ALTER TABLE games_act ENABLE TRIGGER append_only;
UPDATE games_movelog SET state = 'dry_run' WHERE state = 'tried';
UPDATE games_confirmation SET how = 'explicit' WHERE how = 'word';
UPDATE games_notice SET kind = 'to-confirm' WHERE kind = 'words-wanted';
"""


class Migration(migrations.Migration):
    """Removes the constraints on old values, renames, and adds the constraints on new ones."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('games', '0040_names_of_the_field'),
    ]

    operations = [
        migrations.RemoveConstraint('correction', 'recount_of_a_game_or_a_player'),
        migrations.RemoveConstraint('correction', 'recount_done_whole'),
        migrations.RemoveConstraint('ratingevent', 'rating_once'),
        migrations.RemoveConstraint('notice', 'notice_once'),
        migrations.RemoveConstraint('notice', 'notice_about_something'),
        migrations.RemoveConstraint('movelog', 'log_state_known'),
        migrations.RemoveConstraint('confirmation', 'confirmation_how_known'),
        migrations.RemoveIndex('movelog', 'log_tried'),
        migrations.RemoveIndex('ratingevent', 'rating_of_recount'),
        migrations.RenameIndex('correction', new_name='correction_waiting', old_name='recount_waiting'),
        migrations.RenameIndex('upload', new_name='upload_dry_run', old_name='upload_tried'),
        migrations.RenameField('ratingevent', 'recount', 'correction'),
        migrations.RenameField('notice', 'recount', 'correction'),
        migrations.RenameField('mailpreferences', 'words', 'confirmations'),
        migrations.RenameField('mailpreferences', 'rulings', 'disputes'),
        migrations.AlterField('confirmation', 'how', models.CharField(choices=[('explicit', 'by the account itself'), ('upload', 'by an upload of the account')], max_length=8)),
        migrations.RunSQL(VALUES, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='movelog',
            index=models.Index(condition=models.Q(('state', 'dry_run')), fields=['upload', 'game_digest', 'number'], name='log_dry_run'),
        ),
        migrations.AddIndex(
            model_name='ratingevent',
            index=models.Index(condition=models.Q(('correction__isnull', False)), fields=['correction'], name='rating_of_correction'),
        ),
        migrations.AddConstraint(
            model_name='confirmation',
            constraint=models.CheckConstraint(condition=models.Q(('how__in', ['explicit', 'upload'])), name='confirmation_how_known'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('acceptance__isnull', False), ('kind__in', ['annulment', 'restoration']), ('player__isnull', True)), models.Q(('acceptance__isnull', True), ('into__isnull', False), ('kind__in', ['merge', 'split']), ('player__isnull', False)), _connector='OR'), name='correction_of_a_game_or_a_player'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('after__isnull', True), ('done_at__isnull', True), ('order__isnull', True)), models.Q(('after__isnull', False), ('done_at__isnull', False), ('order__isnull', False)), _connector='OR'), name='correction_done_whole'),
        ),
        migrations.AddConstraint(
            model_name='movelog',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'judged', 'quarantined', 'held', 'cancelled', 'dry_run'])), name='log_state_known'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('account', 'kind', 'claim', 'upload', 'dispute', 'correction', 'challenge'), name='notice_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('claim__isnull', False), ('kind__startswith', 'claim-')), models.Q(('kind', 'to-confirm'), ('upload__isnull', False)), models.Q(('dispute__isnull', False), ('kind__startswith', 'dispute-')), models.Q(('correction__isnull', False), ('kind__startswith', 'game-')), models.Q(('challenge__isnull', False), ('kind__startswith', 'seating-')), _connector='OR'), name='notice_about_something'),
        ),
        migrations.AddConstraint(
            model_name='ratingevent',
            constraint=models.UniqueConstraint(fields=('number', 'seat', 'correction'), name='rating_once', nulls_distinct=False),
        ),
    ]
