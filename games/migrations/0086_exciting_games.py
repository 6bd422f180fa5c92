"""What lists of games are sorted by: the worker finds out what is null, and the database counts comments."""

import django.db.models.deletion
from django.db import migrations, models

# Also comments that older code writes are counted, and those that go with an account.
_COUNT = """
CREATE FUNCTION games_count_comments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.hidden_at IS NULL THEN
        UPDATE games_game SET comment_count = comment_count - 1 WHERE id = OLD.game_id;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.hidden_at IS NULL THEN
        UPDATE games_game SET comment_count = comment_count + 1 WHERE id = NEW.game_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER comments_counted AFTER INSERT OR DELETE ON games_gamecomment
FOR EACH ROW EXECUTE FUNCTION games_count_comments();
CREATE TRIGGER comments_counted_again AFTER UPDATE ON games_gamecomment FOR EACH ROW
WHEN ((OLD.hidden_at IS NULL, OLD.game_id) IS DISTINCT FROM (NEW.hidden_at IS NULL, NEW.game_id))
EXECUTE FUNCTION games_count_comments();
UPDATE games_game AS game SET comment_count = found.count
FROM (SELECT game_id, count(*) FROM games_gamecomment WHERE hidden_at IS NULL GROUP BY game_id) AS found
WHERE game.id = found.game_id
"""
_UNDO = """
DROP TRIGGER comments_counted_again ON games_gamecomment;
DROP TRIGGER comments_counted ON games_gamecomment;
DROP FUNCTION games_count_comments()
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0085_corrected_records'),
    ]

    beside_old_code = {
        'Raw SQL operation': 'Older code does not see what the triggers do. Comments wait until the others are counted.',
    }

    operations = [
        migrations.AddField(
            model_name='acceptance',
            name='rating',
            field=models.IntegerField(help_text='The mean of its players’ ratings before it; null until the worker has looked.', null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='comment_count',
            field=models.IntegerField(db_default=0, default=0, help_text='Comments on it that nobody hides; the database keeps it.'),
        ),
        migrations.AddField(
            model_name='gameevents',
            name='closeness',
            field=models.SmallIntegerField(help_text='What the second of the final figures is of the first, in percent; null if it was not played out.', null=True),
        ),
        migrations.AddField(
            model_name='gameevents',
            name='lead_changes',
            field=models.SmallIntegerField(help_text='How often the lead passed to another seat; null until the worker has counted.', null=True),
        ),
        migrations.AlterField(
            model_name='gameevents',
            name='game',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='happened', serialize=False, to='games.game'),
        ),
        migrations.RunSQL(_COUNT, _UNDO),
    ]
