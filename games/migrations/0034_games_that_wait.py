"""Games that wait for somebody before they count, and who vouches for whom."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


# Who was a moderator, or decided in nobody's name, had not introduced the name. Whose games count already is known.
VOUCHES = """
INSERT INTO games_vouch (claim_id, by_id, role, at)
SELECT claim.id, claim.decided_by_id,
       CASE WHEN claim.decided_by_id IS NULL OR claim.decided_by_id IS DISTINCT FROM player.introduced_by_id OR EXISTS (
           SELECT FROM games_seating AS seating
           JOIN games_player AS seated ON seated.id = seating.player_id
           JOIN games_acceptance AS acceptance ON acceptance.game_id = seating.game_id
           JOIN games_ladder AS ladder ON ladder.id = acceptance.ladder_id
           WHERE coalesce(seated.merged_into_id, seated.id) = player.id AND acceptance.number IS NOT NULL
             AND acceptance.counts AND ladder.league_id IS NULL)
       THEN 'moderator' ELSE 'player' END, claim.decided_at
FROM games_claim AS claim JOIN games_player AS player ON player.id = claim.player_id WHERE claim.state = 'approved'
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0033_names_that_look_alike'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Vouch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('moderator', 'as a moderator'), ('organiser', 'as a league’s organiser'), ('player', 'as another player')], max_length=9)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='flag',
            name='flag_once',
        ),
        migrations.RemoveIndex(
            model_name='acceptance',
            name='acceptance_due',
        ),
        migrations.RemoveField(
            model_name='ladder',
            name='looked_to',
        ),
        migrations.AddField(
            model_name='acceptance',
            name='held',
            field=models.BooleanField(db_default=False, default=False, help_text='While it waits for somebody, as its flags say, or was left unrated.'),
        ),
        migrations.AddField(
            model_name='claim',
            name='approved_from',
            field=models.DateTimeField(help_text='When it is approved if nobody contests it: of a name that the claimant uploaded first.', null=True),
        ),
        migrations.AddField(
            model_name='claim',
            name='contested_at',
            field=models.DateTimeField(help_text='Since when only a moderator can decide it.', null=True),
        ),
        migrations.AddField(
            model_name='claim',
            name='contested_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='flag',
            name='ladder',
            field=models.ForeignKey(help_text='For which the game waits, if it does.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.ladder'),
        ),
        migrations.AddField(
            model_name='flag',
            name='unrated',
            field=models.BooleanField(db_default=False, default=False, help_text='Settled so that the game does not count for the ladder.'),
        ),
        migrations.AlterField(
            model_name='act',
            name='kind',
            field=models.CharField(choices=[('claim-approved', 'claim approved'), ('claim-refused', 'claim refused'), ('claim-revoked', 'claim revoked'), ('dispute-upheld', 'dispute upheld'), ('dispute-dismissed', 'dispute dismissed'), ('game-annulled', 'game annulled'), ('game-restored', 'game restored'), ('players-merged', 'players merged'), ('players-parted', 'players parted'), ('flag-settled', 'flag settled'), ('game-let-count', 'game that waited counts'), ('game-left-unrated', 'game that waited does not count'), ('name-vouched', 'name vouched for'), ('claim-contested', 'claim contested'), ('bot-marked', 'marked as a bot'), ('bot-unmarked', 'no longer marked as a bot'), ('league-founded', 'league founded'), ('organiser-named', 'organiser named'), ('organiser-dismissed', 'organiser dismissed'), ('moderator-named', 'moderator named'), ('moderator-dismissed', 'moderator dismissed'), ('game-hidden', 'game made private'), ('game-shown', 'game made public'), ('account-deleted', 'account deleted'), ('seating-chosen', 'seating chosen'), ('seating-agreed', 'seating agreed'), ('ledger-rebuilt', 'ledger rebuilt')], max_length=20),
        ),
        migrations.AlterField(
            model_name='flag',
            name='kind',
            field=models.CharField(choices=[('same-person', 'one account in two seats'), ('repeated-pairing', 'the same rivals again and again'), ('resign-farming', 'early resignations to one player'), ('new-account', 'an account that is brand-new'), ('likeness', 'the same play as a game that came before'), ('unvouched', 'nobody independent vouches for a player')], max_length=16),
        ),
        migrations.AddIndex(
            model_name='acceptance',
            index=models.Index(condition=models.Q(('held', False), ('number__isnull', True)), fields=['id'], name='acceptance_due'),
        ),
        migrations.AddIndex(
            model_name='acceptance',
            index=models.Index(condition=models.Q(('held', True)), fields=['ladder', 'id'], name='acceptance_held'),
        ),
        migrations.AddIndex(
            model_name='claim',
            index=models.Index(condition=models.Q(('approved_from__isnull', False), ('contested_at__isnull', True), ('state', 'open')), fields=['approved_from'], name='claim_uncontested'),
        ),
        migrations.AddIndex(
            model_name='flag',
            index=models.Index(fields=['game', 'ladder'], name='flag_of_game'),
        ),
        migrations.AddConstraint(
            model_name='acceptance',
            constraint=models.CheckConstraint(condition=models.Q(('held', False), ('number__isnull', True), _connector='OR'), name='acceptance_held_is_not_placed'),
        ),
        migrations.AddConstraint(
            model_name='flag',
            constraint=models.UniqueConstraint(fields=('kind', 'game', 'player', 'ladder'), name='flag_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='flag',
            constraint=models.CheckConstraint(condition=models.Q(('unrated', False), models.Q(('ladder__isnull', False), ('settled_at__isnull', False)), _connector='OR'), name='flag_unrated_once_settled'),
        ),
        migrations.AddField(
            model_name='vouch',
            name='by',
            field=models.ForeignKey(help_text='None where whoever runs the service did it, or the account is gone.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='vouch',
            name='claim',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vouches', to='games.claim'),
        ),
        migrations.AddConstraint(
            model_name='vouch',
            constraint=models.UniqueConstraint(fields=('claim', 'by'), name='vouch_once'),
        ),
        migrations.AddConstraint(
            model_name='vouch',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['moderator', 'organiser', 'player'])), name='vouch_role_known'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('claim-made', 'a claim waits for its decision'), ('claim-decided', 'its claim was decided'), ('claim-revoked', 'its claim was revoked'), ('claim-contested', 'somebody contests a claim of its own'), ('words-wanted', 'games wait for its word'), ('dispute-raised', 'a game of its own is disputed'), ('dispute-settled', 'such a dispute has ended'), ('game-annulled', 'a game of its own was annulled'), ('game-restored', 'a game of its own counts again'), ('seating-raised', 'another upload of a game names others'), ('seating-settled', 'it was decided who sat there')], max_length=15),
        ),
        migrations.RemoveIndex(
            model_name='acceptance',
            name='acceptance_due_in_ladder',
        ),
        migrations.AddIndex(
            model_name='acceptance',
            index=models.Index(condition=models.Q(('held', False), ('number__isnull', True)), fields=['ladder', 'id'], name='acceptance_due_in_ladder'),
        ),
        migrations.RunSQL(VOUCHES, migrations.RunSQL.noop),
    ]
