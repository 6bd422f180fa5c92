"""The database counts the comments of games.

In a migration of its own, as those before it: each locks one busy table only, so that none deadlocks with a worker.
"""

from django.db import migrations

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
        ("games", "0088_tension"),
    ]

    beside_old_code = {
        "Raw SQL operation": "Older code does not see what the triggers do. Comments wait until the others are counted.",
    }

    operations = [
        migrations.RunSQL(_COUNT, _UNDO),
    ]
