"""Leagues become clubs: one table of both, and `club` wherever `league` stood."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# What a club is besides its ladders moves to the table of leagues; a league without it is listed, as it was.
MOVE = """
UPDATE games_league AS league SET listed_at = league.created_at
WHERE NOT EXISTS (SELECT FROM games_club AS club WHERE club.league_id = league.id);
UPDATE games_league AS league
SET meets = club.meets, main_ruleset = club.main_ruleset, listed_at = club.listed_at, listed_by_id = club.listed_by_id
FROM games_club AS club WHERE club.league_id = league.id;
SET CONSTRAINTS ALL IMMEDIATE;
"""
# Acts are append-only, so the trigger is off while one kind gets its new name.
ACTS = """
ALTER TABLE games_act DISABLE TRIGGER append_only;
UPDATE games_act
SET kind = CASE kind WHEN 'league-founded' THEN 'club-founded' ELSE kind END,
    params = params - 'league' || jsonb_build_object('club', params -> 'league')
WHERE params ? 'league';
ALTER TABLE games_act ENABLE TRIGGER append_only;
"""
TO_ACCEPT = models.Q(('accepted_at__isnull', True), ('club__isnull', False), ('done_at__isnull', False))


def to_league(related_name: str) -> Any:
    cascade = django.db.models.deletion.CASCADE
    return models.ForeignKey(on_delete=cascade, related_name=related_name, to='games.league')


class Migration(migrations.Migration):
    """Moves columns, points what belongs to a club at the table that stays, and renames."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('games', '0047_player_by_beginning'),
    ]

    operations = [
        migrations.AddField('league', 'meets', models.CharField(blank=True, default='', help_text='When and where it meets.', max_length=120), preserve_default=False),
        migrations.AddField('league', 'main_ruleset', models.CharField(blank=True, default='', help_text='Whose ratings its table of points shows.', max_length=40), preserve_default=False),
        migrations.AddField('league', 'listed_at', models.DateTimeField(help_text='Since when everybody finds it in the list of clubs.', null=True)),
        migrations.AddField('league', 'listed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
        migrations.RunSQL(MOVE, migrations.RunSQL.noop),
        # A club had the number of its league, so that these keys stay what they are.
        migrations.AlterField('clubmember', 'club', to_league('members')),
        migrations.AlterField('clublink', 'club', to_league('links')),
        migrations.AlterField('evening', 'club', to_league('evenings')),
        migrations.AlterField('season', 'club', to_league('seasons')),
        migrations.DeleteModel('Club'),
        migrations.RenameModel('League', 'Club'),
        # PostgreSQL renames columns within constraints and indexes by itself.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint('ladder', 'ladder_once'),
                migrations.RemoveIndex('upload', 'upload_to_accept'),
            ],
        ),
        migrations.RenameField('ladder', 'league', 'club'),
        migrations.RenameField('upload', 'league', 'club'),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AddConstraint('ladder', models.UniqueConstraint(fields=('ruleset', 'club'), name='ladder_once', nulls_distinct=False)),
                migrations.AddIndex('upload', models.Index(condition=TO_ACCEPT, fields=['received_at', 'id'], name='upload_to_accept')),
            ],
        ),
        migrations.AddIndex('club', models.Index(condition=models.Q(('listed_at__isnull', True)), fields=['id'], name='club_not_listed')),
        migrations.AlterField('act', 'kind', models.CharField(choices=[('claim-approved', 'claim approved'), ('claim-refused', 'claim refused'), ('claim-revoked', 'claim revoked'), ('dispute-upheld', 'dispute upheld'), ('dispute-dismissed', 'dispute dismissed'), ('game-annulled', 'game annulled'), ('game-restored', 'game restored'), ('players-merged', 'players merged'), ('players-split', 'players split'), ('flag-settled', 'flag settled'), ('game-let-count', 'game that waited counts'), ('game-left-unrated', 'game that waited does not count'), ('name-vouched', 'name vouched for'), ('claim-contested', 'claim contested'), ('bot-marked', 'marked as a bot'), ('bot-unmarked', 'no longer marked as a bot'), ('club-founded', 'club founded'), ('organiser-named', 'organiser named'), ('organiser-dismissed', 'organiser dismissed'), ('moderator-named', 'moderator named'), ('moderator-dismissed', 'moderator dismissed'), ('game-hidden', 'game made private'), ('game-shown', 'game made public'), ('account-deleted', 'account deleted'), ('seating-chosen', 'seating chosen'), ('seating-agreed', 'seating agreed'), ('ledger-rebuilt', 'ledger rebuilt')], max_length=20)),
        migrations.AlterField('club', 'organisers', models.ManyToManyField(related_name='organised_clubs', to=settings.AUTH_USER_MODEL)),
        migrations.AlterField('upload', 'accepted_at', models.DateTimeField(help_text='When its games were accepted for the club.', null=True)),
        migrations.AlterField('upload', 'club', models.ForeignKey(help_text='The club on whose ladders its games count; an organiser uploaded it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='games.club')),
        migrations.AlterField('vouch', 'role', models.CharField(choices=[('moderator', 'as a moderator'), ('organiser', 'as a club’s organiser'), ('player', 'as another player')], max_length=9)),
        migrations.RunSQL(ACTS, migrations.RunSQL.noop),
    ]
