"""Records know their newest verdict and its rule, so that those of one rule are found among any number."""

from django.db import migrations, models


# A record is known by what was said of it last.
FILL = """
UPDATE games_movelog AS log SET verdict = said.verdict, rule = said.rule
FROM (SELECT DISTINCT ON (log_id) log_id, verdict, rule FROM games_verdict ORDER BY log_id, id DESC) AS said
WHERE said.log_id = log.id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0018_webhooks'),
    ]

    operations = [
        migrations.AddField(
            model_name='movelog',
            name='rule',
            field=models.CharField(blank=True, db_default='', default='', help_text='The rule that it breaks first.', max_length=20),
        ),
        migrations.AddField(
            model_name='movelog',
            name='verdict',
            field=models.CharField(blank=True, db_default='', default='', help_text='The newest; empty before the first.', max_length=10),
        ),
        migrations.AddIndex(
            model_name='movelog',
            index=models.Index(condition=models.Q(('verdict__in', ['unfinished', 'rejected'])), fields=['upload', 'verdict', 'rule', 'number'], name='log_not_verified'),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
