"""Names are found by the beginnings of their words, without case, accents, apostrophes and kinds of dashes."""

import django.contrib.postgres.indexes
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

import games.models.folding

# Marks that change a letter's sound or show nothing, but none that stands for a letter of its own, as in Indic scripts;
# then letters that are no others with a mark. A name of nothing else stays as it is, so that it can be found.
FOLDED = r"""
CREATE OR REPLACE FUNCTION games_folded(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN coalesce(nullif(btrim(regexp_replace(translate(replace(replace(replace(replace(
    regexp_replace(
        lower(normalize(regexp_replace(name, '[\u00b4\u02b9-\u02bf\u2018-\u201b\u2032\u0060'']', '', 'g'), NFKD)),
        '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f'
        '\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f'
        '\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff'
        '\u02b9-\u02bf''\U000e0000-\U000e0fff]', '', 'g'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıĸŋςɓɗ', 'olddhtiknσbd'),
    '[][\s\u002d\u2010-\u2015\u2212_.,;:!?·•|/\\(){}<>&+*"“”„«»‹›‚]+', ' ', 'g')), ''), lower(name))
"""
WORDS = """
CREATE OR REPLACE FUNCTION games_words(name text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_to_tsvector(array_remove(string_to_array(games_folded(name), ' '), ''))
"""
WANTED = r"""
CREATE OR REPLACE FUNCTION games_wanted_words(wanted text) RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
    SELECT string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')::tsquery
    FROM unnest(string_to_array(games_folded(wanted), ' ')) AS word WHERE word <> '')
"""
DROPPED = """
DROP FUNCTION games_wanted_words(text);
DROP FUNCTION games_words(text);
DROP FUNCTION games_folded(text);
"""


class Migration(migrations.Migration):
    """Adds the functions and the index; the index by the beginning of the whole name goes."""

    atomic = False
    dependencies = [("games", "0075_days_of_play")]
    beside_old_code = {
        "Add field folded to player": "The database makes its value, whoever adds a row.",
        "Raw SQL operation": "Older code does not use the functions, and finds names without the index, if slowly."
    }
    operations = [
        migrations.RunSQL([FOLDED, WORDS, WANTED], DROPPED),
        migrations.AddField(
            model_name="player",
            name="folded",
            field=models.GeneratedField(
                db_persist=True,
                expression=games.models.folding.Folded("name"),
                help_text="The name in which a part of it is looked for.",
                output_field=models.TextField(),
            ),
        ),
        AddIndexConcurrently(
            model_name="player",
            index=django.contrib.postgres.indexes.GinIndex(games.models.folding.FoldedWords("name"), name="player_by_words"),
        ),
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS player_by_beginning",
            "CREATE INDEX player_by_beginning ON games_player (upper(name) text_pattern_ops)",
        ),
    ]
