from django.db import migrations, models
from django.db.models import Q

# A record counts as what was said of it last, or as set aside.
TALLY = """
INSERT INTO games_tally (upload_id, verdict, rule, games)
SELECT log.upload_id, became.verdict, became.rule, count(*)
FROM games_movelog AS log
LEFT JOIN LATERAL (SELECT verdict, rule FROM games_verdict WHERE log_id = log.id ORDER BY id DESC LIMIT 1) AS said
    ON true
CROSS JOIN LATERAL (SELECT CASE WHEN log.state = 'quarantined' THEN 'quarantined' ELSE said.verdict END AS verdict,
                           CASE WHEN log.state = 'quarantined' THEN '' ELSE said.rule END AS rule) AS became
WHERE became.verdict IS NOT NULL
GROUP BY log.upload_id, became.verdict, became.rule
"""
NOTE = """
UPDATE games_upload AS upload SET
    accepted_logs = CASE WHEN accepted_at IS NULL THEN 0 ELSE known.logs END,
    split_logs = known.logs, begun_at = known.first, judged_at = known.last,
    done_at = CASE WHEN known.logs <= (SELECT coalesce(sum(games), 0) FROM games_tally WHERE upload_id = upload.id)
              THEN coalesce(known.last, upload.received_at) END
FROM (SELECT log.upload_id, count(DISTINCT log.id) AS logs, min(judged_at) AS first, max(judged_at) AS last
      FROM games_movelog AS log LEFT JOIN games_verdict AS verdict ON verdict.log_id = log.id
      GROUP BY log.upload_id) AS known
WHERE known.upload_id = upload.id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0011_training_unless_scored'),
    ]

    operations = [
        migrations.AddField(
            model_name='upload',
            name='accepted_logs',
            field=models.PositiveIntegerField(default=0, help_text='Records whose games were accepted, so far.'),
        ),
        migrations.AddField(
            model_name='upload',
            name='split_logs',
            field=models.PositiveIntegerField(default=0, help_text='Records that it was cut into, so far.'),
        ),
        migrations.AddField(
            model_name='upload',
            name='begun_at',
            field=models.DateTimeField(help_text='When a worker took the first of its records.', null=True),
        ),
        migrations.AddField(
            model_name='upload',
            name='judged_at',
            field=models.DateTimeField(help_text='When verdicts on its records were stored last.', null=True),
        ),
        migrations.AddField(
            model_name='upload',
            name='done_at',
            field=models.DateTimeField(help_text='When none of its records waited any more.', null=True),
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verdict', models.CharField(choices=[('verified', 'verified'), ('unfinished', 'unfinished'), ('rejected', 'rejected'), ('quarantined', 'quarantined')], max_length=11)),
                ('rule', models.CharField(blank=True, help_text='The rule that was broken first, of those rejected.', max_length=20)),
                ('games', models.PositiveIntegerField()),
                ('upload', models.ForeignKey(db_index=False, on_delete=models.deletion.CASCADE, related_name='tallies', to='games.upload')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('upload', 'verdict', 'rule'), name='tally_once'),
                    models.CheckConstraint(condition=Q(('verdict__in', ['verified', 'unfinished', 'rejected', 'quarantined'])), name='tally_verdict_known'),
                ],
            },
        ),
        migrations.AddIndex(
            model_name='upload',
            index=models.Index(condition=Q(('accepted_at__isnull', True), ('done_at__isnull', False), ('league__isnull', False)), fields=['received_at', 'id'], name='upload_to_accept'),
        ),
        migrations.RunSQL(TALLY, migrations.RunSQL.noop),
        migrations.RunSQL(NOTE, migrations.RunSQL.noop),
    ]
