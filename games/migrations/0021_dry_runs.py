"""Dry runs: records are judged without becoming games, and such verdicts alone may be removed again."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


LET_GO = """
DROP TRIGGER append_only ON games_verdict;
CREATE TRIGGER append_only BEFORE UPDATE ON games_verdict FOR EACH ROW EXECUTE FUNCTION games_append_only();
CREATE TRIGGER never_removed BEFORE DELETE ON games_verdict FOR EACH ROW WHEN (OLD.game_id IS NOT NULL)
EXECUTE FUNCTION games_append_only();
"""
HOLD = """
DROP TRIGGER never_removed ON games_verdict;
DROP TRIGGER append_only ON games_verdict;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON games_verdict FOR EACH ROW EXECUTE FUNCTION games_append_only();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0020_repeats'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='movelog',
            name='log_state_known',
        ),
        migrations.AddField(
            model_name='upload',
            name='dry_run',
            field=models.BooleanField(default=False, help_text='Judged to tell its uploader alone; removed after a day.'),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting'), ('running', 'running'), ('judged', 'judged'), ('quarantined', 'quarantined'), ('held', 'held'), ('cancelled', 'cancelled'), ('tried', 'tried')], default='waiting', max_length=11),
        ),
        migrations.AlterField(
            model_name='verdict',
            name='game',
            field=models.ForeignKey(help_text='None of a dry run.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='verdicts', to='games.game'),
        ),
        migrations.AddIndex(
            model_name='upload',
            index=models.Index(condition=models.Q(('dry_run', True)), fields=['done_at'], name='upload_tried'),
        ),
        migrations.AddConstraint(
            model_name='movelog',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'judged', 'quarantined', 'held', 'cancelled', 'tried'])), name='log_state_known'),
        ),
        migrations.RunSQL(LET_GO, HOLD),
    ]
