"""How each game ended, and its likeness. What stored rules tell is filled in here; `verify_again` fills in the rest."""

from django.db import migrations, models

# Who left a game may have resigned or run out of time, and no column says which: its record does.
FILL_IN = """
UPDATE games_game SET termination = CASE ended WHEN 'AGN-ADMIN-2' THEN 'agreed' ELSE 'played' END
WHERE ended <> '' AND ended <> 'AGN-ADMIN-1' AND ended NOT LIKE '%-LEAVE-%'
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0027_best_ranks_follow_the_ledger'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='likeness',
            field=models.CharField(blank=True, db_default='', default='', help_text='The same for one play on turned boards and in other colours; empty when rejected.', max_length=64),
        ),
        migrations.AddField(
            model_name='game',
            name='termination',
            field=models.CharField(blank=True, choices=[('played', 'played'), ('resigned', 'resigned'), ('timed_out', 'timed out'), ('agreed', 'agreed')], db_default='', default='', help_text='How it ended: by its rules, or by what a player said; empty while it is unfinished.', max_length=9),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['likeness'], name='game_like'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('termination__in', ['', 'played', 'resigned', 'timed_out', 'agreed'])), name='game_termination_known'),
        ),
        migrations.RunSQL(FILL_IN, migrations.RunSQL.noop),
    ]
