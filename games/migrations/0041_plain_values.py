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
        migrations.AlterField(
            model_name='acceptance',
            name='by',
            field=models.ForeignKey(help_text='The organiser who accepted it; null where all seats have confirmed.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='acceptance',
            name='counts',
            field=models.BooleanField(default=True, help_text='False while the game is annulled.'),
        ),
        migrations.AlterField(
            model_name='acceptance',
            name='due_at',
            field=models.DateTimeField(help_text='When the last condition was met.'),
        ),
        migrations.AlterField(
            model_name='acceptance',
            name='held',
            field=models.BooleanField(db_default=False, default=False, help_text='True while its flags hold it back, and if it was left unrated.'),
        ),
        migrations.AlterField(
            model_name='acceptance',
            name='number',
            field=models.PositiveBigIntegerField(help_text='The number in the sequence, from 1.', null=True, unique=True),
        ),
        migrations.AlterField(
            model_name='accountmail',
            name='attempts',
            field=models.PositiveSmallIntegerField(default=0, help_text='Counted before each attempt.'),
        ),
        migrations.AlterField(
            model_name='accountmail',
            name='next_at',
            field=models.DateTimeField(db_index=True, help_text='When the next attempt is due; the row is deleted once the mail is sent.'),
        ),
        migrations.AlterField(
            model_name='accountmail',
            name='sealed',
            field=models.BinaryField(help_text="Recipient, subject and text, encrypted with the site's key."),
        ),
        migrations.AlterField(
            model_name='accountname',
            name='skeleton',
            field=models.CharField(help_text='The skeleton of UTS 39; null where an older name looks the same.', max_length=400, null=True, unique=True),
        ),
        migrations.AlterField(
            model_name='act',
            name='by',
            field=models.ForeignKey(db_constraint=False, help_text='Kept as a number after the account is deleted.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='act',
            name='kind',
            field=models.CharField(choices=[('claim-approved', 'claim approved'), ('claim-refused', 'claim refused'), ('claim-revoked', 'claim revoked'), ('dispute-upheld', 'dispute upheld'), ('dispute-dismissed', 'dispute dismissed'), ('game-annulled', 'game annulled'), ('game-restored', 'game restored'), ('players-merged', 'players merged'), ('players-split', 'players split'), ('flag-settled', 'flag settled'), ('game-let-count', 'game that waited counts'), ('game-left-unrated', 'game that waited does not count'), ('name-vouched', 'name vouched for'), ('claim-contested', 'claim contested'), ('bot-marked', 'marked as a bot'), ('bot-unmarked', 'no longer marked as a bot'), ('league-founded', 'league founded'), ('organiser-named', 'organiser named'), ('organiser-dismissed', 'organiser dismissed'), ('moderator-named', 'moderator named'), ('moderator-dismissed', 'moderator dismissed'), ('game-hidden', 'game made private'), ('game-shown', 'game made public'), ('account-deleted', 'account deleted'), ('seating-chosen', 'seating chosen'), ('seating-agreed', 'seating agreed'), ('ledger-rebuilt', 'ledger rebuilt')], max_length=20),
        ),
        migrations.AlterField(
            model_name='act',
            name='params',
            field=models.JSONField(default=dict, help_text='Ids of what else the decision concerned.'),
        ),
        migrations.AlterField(
            model_name='answer',
            name='fingerprint',
            field=models.CharField(help_text='A digest of the request: a different request may not reuse the key.', max_length=64),
        ),
        migrations.AlterField(
            model_name='archive',
            name='attempts',
            field=models.PositiveSmallIntegerField(default=0, help_text='Counted before each attempt; reset with each step forward.'),
        ),
        migrations.AlterField(
            model_name='archive',
            name='claimed_at',
            field=models.DateTimeField(help_text='When a worker last took it; accounts take turns.', null=True),
        ),
        migrations.AlterField(
            model_name='archive',
            name='code',
            field=models.CharField(blank=True, help_text='Why the rest of the file was refused, as a code for programs.', max_length=30),
        ),
        migrations.AlterField(
            model_name='archive',
            name='fence',
            field=models.PositiveIntegerField(default=0, help_text='Rises with every lease; only the newest holder may store results.'),
        ),
        migrations.AlterField(
            model_name='archive',
            name='length',
            field=models.PositiveBigIntegerField(help_text='The size of the whole file in bytes.'),
        ),
        migrations.AlterField(
            model_name='archive',
            name='mark',
            field=models.CharField(blank=True, help_text="The sender's own name for the file, to resume it by.", max_length=100),
        ),
        migrations.AlterField(
            model_name='archive',
            name='read',
            field=models.PositiveBigIntegerField(default=0, help_text='Bytes of the file that were unpacked for those records.'),
        ),
        migrations.AlterField(
            model_name='archive',
            name='received',
            field=models.PositiveBigIntegerField(default=0, help_text='Bytes received so far, without a gap.'),
        ),
        migrations.AlterField(
            model_name='archive',
            name='touched_at',
            field=models.DateTimeField(help_text='When bytes were last received.'),
        ),
        migrations.AlterField(
            model_name='archive',
            name='trouble',
            field=models.TextField(blank=True, help_text='The sentence as a template to translate; its parameters are in `params`.'),
        ),
        migrations.AlterField(
            model_name='bestrank',
            name='number',
            field=models.PositiveBigIntegerField(help_text='The number of the game that brought it.'),
        ),
        migrations.AlterField(
            model_name='challenge',
            name='game',
            field=models.ForeignKey(help_text='The game whose seating is challenged.', on_delete=django.db.models.deletion.PROTECT, related_name='challenges', to='games.game'),
        ),
        migrations.AlterField(
            model_name='challenge',
            name='holds',
            field=models.BooleanField(help_text='Whether the game waits for the decision. A confirmed game continues to count.'),
        ),
        migrations.AlterField(
            model_name='challenge',
            name='raised_by',
            field=models.ForeignKey(help_text='Who uploaded it; null for an upload without an account.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='chunk',
            name='data',
            field=models.BinaryField(help_text='At most 1 MiB; the database stores it uncompressed and outside the row.'),
        ),
        migrations.AlterField(
            model_name='claim',
            name='approved_from',
            field=models.DateTimeField(help_text='When it is approved unless somebody contests it: for a name that the claimant uploaded first.', null=True),
        ),
        migrations.AlterField(
            model_name='confirmation',
            name='until',
            field=models.DateTimeField(help_text='When it expires, unless all seats have confirmed by then.'),
        ),
        migrations.AlterField(
            model_name='correction',
            name='acceptance',
            field=models.ForeignKey(help_text='Annulled or restored.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='games.acceptance'),
        ),
        migrations.AlterField(
            model_name='correction',
            name='after',
            field=models.PositiveBigIntegerField(help_text='The last number given before it was done.', null=True),
        ),
        migrations.AlterField(
            model_name='correction',
            name='changed',
            field=models.PositiveIntegerField(default=0, help_text='Number of ratings that it changed.'),
        ),
        migrations.AlterField(
            model_name='correction',
            name='into',
            field=models.ForeignKey(help_text='The player merged into, or split from.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player'),
        ),
        migrations.AlterField(
            model_name='correction',
            name='kind',
            field=models.CharField(choices=[('annulment', 'annulment'), ('restoration', 'restoration'), ('merge', 'merge'), ('split', 'split')], max_length=11),
        ),
        migrations.AlterField(
            model_name='correction',
            name='order',
            field=models.PositiveBigIntegerField(help_text='Its number among all corrections; null until it is done.', null=True, unique=True),
        ),
        migrations.AlterField(
            model_name='correction',
            name='player',
            field=models.ForeignKey(help_text='Merged or split.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='games.player'),
        ),
        migrations.AlterField(
            model_name='delivery',
            name='attempts',
            field=models.PositiveSmallIntegerField(default=0, help_text='Counted before each attempt.'),
        ),
        migrations.AlterField(
            model_name='delivery',
            name='leased_until',
            field=models.DateTimeField(help_text='Until when a worker holds it.', null=True),
        ),
        migrations.AlterField(
            model_name='delivery',
            name='next_at',
            field=models.DateTimeField(help_text='When the next attempt is due; null once it is sent or given up.', null=True),
        ),
        migrations.AlterField(
            model_name='deliveryattempt',
            name='template',
            field=models.CharField(blank=True, help_text='Why there was no answer, as a template to translate.', max_length=200),
        ),
        migrations.AlterField(
            model_name='entry',
            name='name',
            field=models.CharField(help_text='For display only.', max_length=255),
        ),
        migrations.AlterField(
            model_name='flag',
            name='ladder',
            field=models.ForeignKey(help_text='The ladder on which the game waits; null if it does not wait.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.ladder'),
        ),
        migrations.AlterField(
            model_name='flag',
            name='looked_at',
            field=models.DateTimeField(help_text='When it was last checked whether the reason still holds; null if never.', null=True),
        ),
        migrations.AlterField(
            model_name='flag',
            name='unrated',
            field=models.BooleanField(db_default=False, default=False, help_text='Whether it was settled by leaving the game unrated on the ladder.'),
        ),
        migrations.AlterField(
            model_name='game',
            name='digest',
            field=models.CharField(help_text='The game digest; null when rejected.', max_length=64, null=True),
        ),
        migrations.AlterField(
            model_name='game',
            name='likeness',
            field=models.CharField(blank=True, db_default='', default='', help_text='The same digest for the same moves on a turned board or in other colours; empty when rejected.', max_length=64),
        ),
        migrations.AlterField(
            model_name='game',
            name='owner',
            field=models.ForeignKey(db_index=False, help_text='The owner of a private game; others who upload the same moves get a game of their own.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='game',
            name='played_on',
            field=models.DateField(help_text='The Date tag, when the whole date is known.', null=True),
        ),
        migrations.AlterField(
            model_name='game',
            name='private',
            field=models.BooleanField(default=False, help_text='Visible only to its owner and to accounts whose claim to a name in it the owner approved.'),
        ),
        migrations.AlterField(
            model_name='game',
            name='ruleset',
            field=models.CharField(blank=True, help_text='Empty when the tags name no known ruleset.', max_length=40),
        ),
        migrations.AlterField(
            model_name='game',
            name='same_as',
            field=models.ForeignKey(db_index=False, help_text='The game its address redirects to: the same game, or the one whose seating applies.', null=True, on_delete=django.db.models.deletion.PROTECT, to='games.game'),
        ),
        migrations.AlterField(
            model_name='game',
            name='scored',
            field=models.BooleanField(default=True, help_text='False when all its uploads are for training.'),
        ),
        migrations.AlterField(
            model_name='game',
            name='seating',
            field=models.CharField(db_default='', default='', help_text='A digest of who sat where; empty when rejected.', max_length=32),
        ),
        migrations.AlterField(
            model_name='game',
            name='termination',
            field=models.CharField(blank=True, choices=[('played', 'played'), ('resigned', 'resigned'), ('timed_out', 'timed out'), ('agreed', 'agreed')], db_default='', default='', help_text='How it ended: by the rules, by resignation, on time or by agreement; empty while it is unfinished.', max_length=9),
        ),
        migrations.AlterField(
            model_name='ladder',
            name='games',
            field=models.PositiveIntegerField(default=0, help_text='Games that count.'),
        ),
        migrations.AlterField(
            model_name='ladder',
            name='players',
            field=models.PositiveIntegerField(default=0, help_text='Players with a game that counts.'),
        ),
        migrations.AlterField(
            model_name='leaderboardsnapshot',
            name='after',
            field=models.PositiveBigIntegerField(help_text='For a period: the last entry before it, or 0.', null=True),
        ),
        migrations.AlterField(
            model_name='leaderboardsnapshot',
            name='asked_at',
            field=models.DateTimeField(help_text='When somebody last asked for it, accurate to a day.'),
        ),
        migrations.AlterField(
            model_name='leaderboardsnapshot',
            name='bars',
            field=models.JSONField(default=dict, help_text='Number of players for each range of ratings.'),
        ),
        migrations.AlterField(
            model_name='leaderboardsnapshot',
            name='games',
            field=models.PositiveIntegerField(default=0, help_text='Games that count.'),
        ),
        migrations.AlterField(
            model_name='leaderboardsnapshot',
            name='upto',
            field=models.PositiveBigIntegerField(help_text='The last entry that is included, or 0.'),
        ),
        migrations.AlterField(
            model_name='mailpreferences',
            name='account',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='mail_preferences', serialize=False, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='mailpreferences',
            name='claims',
            field=models.BooleanField(default=True, help_text='Claims to decide, and the decisions on its own.'),
        ),
        migrations.AlterField(
            model_name='mailpreferences',
            name='confirmations',
            field=models.BooleanField(default=True, help_text='Games that wait to be confirmed.'),
        ),
        migrations.AlterField(
            model_name='mailpreferences',
            name='disputes',
            field=models.BooleanField(default=True, help_text='Disputes of its games, and the decisions on them.'),
        ),
        migrations.AlterField(
            model_name='mailpreferences',
            name='language',
            field=models.CharField(blank=True, help_text="Empty for the site's default language.", max_length=10),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='attempts',
            field=models.PositiveSmallIntegerField(default=0, help_text='Counted before each attempt.'),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='entry',
            field=models.ForeignKey(db_index=False, help_text='The file of a zip archive that contains it; line and offset count within that file.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.entry'),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='fence',
            field=models.PositiveIntegerField(default=0, help_text='Rises with every lease; only the newest holder may store results.'),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='offset',
            field=models.PositiveBigIntegerField(help_text='The byte of the unpacked file at which it begins, from 0; null for older records.', null=True),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='queued_at',
            field=models.DateTimeField(help_text='When it was queued.'),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='rule',
            field=models.CharField(blank=True, db_default='', default='', help_text='The first rule that it breaks.', max_length=20),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='seats',
            field=models.JSONField(default=list, help_text="Letter and player's name of each seat, as this log names them."),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting'), ('running', 'running'), ('judged', 'judged'), ('quarantined', 'quarantined'), ('held', 'held'), ('cancelled', 'cancelled'), ('dry_run', 'dry run')], default='waiting', max_length=11),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='too_long',
            field=models.BooleanField(default=False, help_text='The record is over the size limit; only its beginning is stored.'),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='trouble',
            field=models.TextField(blank=True, help_text='Why verification failed, as far as is known.'),
        ),
        migrations.AlterField(
            model_name='movelog',
            name='verdict',
            field=models.CharField(blank=True, db_default='', default='', help_text='The newest verdict; empty before the first.', max_length=10),
        ),
        migrations.AlterField(
            model_name='notice',
            name='attempts',
            field=models.PositiveSmallIntegerField(default=0, help_text='Counted before each attempt.'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('claim-made', 'a claim waits for its decision'), ('claim-decided', 'its claim was decided'), ('claim-revoked', 'its claim was revoked'), ('claim-contested', 'somebody contests a claim of its own'), ('to-confirm', 'games wait to be confirmed'), ('dispute-raised', 'a game of its own is disputed'), ('dispute-settled', 'such a dispute has ended'), ('game-annulled', 'a game of its own was annulled'), ('game-restored', 'a game of its own counts again'), ('seating-raised', 'another upload of a game names others'), ('seating-settled', 'it was decided who sat there')], max_length=15),
        ),
        migrations.AlterField(
            model_name='notice',
            name='next_at',
            field=models.DateTimeField(help_text='When the next attempt is due; null once it is sent or given up.', null=True),
        ),
        migrations.AlterField(
            model_name='player',
            name='introduced_by',
            field=models.ForeignKey(blank=True, help_text='The account whose public upload first named the player; it, or a moderator, decides claims.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='player',
            name='is_pseudonym',
            field=models.BooleanField(default=False, help_text='The account was deleted, and its name with it.'),
        ),
        migrations.AlterField(
            model_name='player',
            name='merged_into',
            field=models.ForeignKey(blank=True, help_text='The player this one was merged into, who is not merged himself.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='games.player'),
        ),
        migrations.AlterField(
            model_name='player',
            name='unsettled_after',
            field=models.BigIntegerField(help_text='The name changed hands, and games with greater ids are still to be checked; null when all are.', null=True),
        ),
        migrations.AlterField(
            model_name='ratingevent',
            name='number',
            field=models.PositiveBigIntegerField(help_text="The game's number in the sequence."),
        ),
        migrations.AlterField(
            model_name='seating',
            name='left_in',
            field=models.PositiveSmallIntegerField(help_text='The round or pair of turns in which the player left; null if they played to the end.', null=True),
        ),
        migrations.AlterField(
            model_name='seating',
            name='place',
            field=models.PositiveSmallIntegerField(help_text='Null while the game is unfinished.', null=True),
        ),
        migrations.AlterField(
            model_name='seatingchoice',
            name='digest',
            field=models.CharField(help_text='The game digest, which all seatings share.', max_length=64),
        ),
        migrations.AlterField(
            model_name='snapshotrow',
            name='mu_before',
            field=models.FloatField(help_text='At the start of the period.'),
        ),
        migrations.AlterField(
            model_name='standing',
            name='beaten',
            field=models.PositiveIntegerField(default=0, help_text='The shares of rivals beaten, added up, in twelfths.'),
        ),
        migrations.AlterField(
            model_name='standing',
            name='draws',
            field=models.PositiveIntegerField(default=0, help_text='Sharing first place.'),
        ),
        migrations.AlterField(
            model_name='standing',
            name='last_number',
            field=models.PositiveBigIntegerField(help_text='The number of the newest game that counts.'),
        ),
        migrations.AlterField(
            model_name='standing',
            name='wins',
            field=models.PositiveIntegerField(default=0, help_text='Alone in first place.'),
        ),
        migrations.AlterField(
            model_name='tally',
            name='rule',
            field=models.CharField(blank=True, help_text='For rejected records: the first rule that was broken.', max_length=20),
        ),
        migrations.AlterField(
            model_name='throttle',
            name='until',
            field=models.DateTimeField(help_text='When the period ends and the count starts again.'),
        ),
        migrations.AlterField(
            model_name='upload',
            name='accepted_logs',
            field=models.PositiveIntegerField(default=0, help_text='Number of records whose games have been accepted so far.'),
        ),
        migrations.AlterField(
            model_name='upload',
            name='done_at',
            field=models.DateTimeField(help_text='When the last of its records was done.', null=True),
        ),
        migrations.AlterField(
            model_name='upload',
            name='dry_run',
            field=models.BooleanField(default=False, help_text='Checked only: nothing is published, and it is deleted after a day.'),
        ),
        migrations.AlterField(
            model_name='upload',
            name='file_digest',
            field=models.CharField(blank=True, default='', help_text='SHA-256 of the file as sent; empty for an upload without an account.', max_length=64),
        ),
        migrations.AlterField(
            model_name='upload',
            name='judged_at',
            field=models.DateTimeField(help_text='When a verdict on one of its records was last stored.', null=True),
        ),
        migrations.AlterField(
            model_name='upload',
            name='league',
            field=models.ForeignKey(help_text='The league on whose ladders its games count; an organiser uploaded it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='games.league'),
        ),
        migrations.AlterField(
            model_name='upload',
            name='notified_at',
            field=models.DateTimeField(help_text='When the players of its games were notified.', null=True),
        ),
        migrations.AlterField(
            model_name='upload',
            name='paused',
            field=models.BooleanField(default=False, help_text='Whether splitting and verification are paused.'),
        ),
        migrations.AlterField(
            model_name='upload',
            name='repeats',
            field=models.ForeignKey(db_index=False, help_text='An earlier upload of the same file by the same account; then nothing of this one is stored.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.upload'),
        ),
        migrations.AlterField(
            model_name='upload',
            name='scored',
            field=models.BooleanField(default=True, help_text='False for training games, which never count.'),
        ),
        migrations.AlterField(
            model_name='upload',
            name='split_logs',
            field=models.PositiveIntegerField(default=0, help_text='Number of records found in it so far.'),
        ),
        migrations.AlterField(
            model_name='verdict',
            name='game',
            field=models.ForeignKey(help_text='Null in a dry run.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='verdicts', to='games.game'),
        ),
        migrations.AlterField(
            model_name='verdict',
            name='template',
            field=models.TextField(blank=True, help_text='The sentence as a template to translate; its parameters are in `params`.'),
        ),
        migrations.AlterField(
            model_name='vouch',
            name='by',
            field=models.ForeignKey(help_text='Null where the operator did it, or the account was deleted.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='webhookkey',
            name='slow',
            field=models.BooleanField(default=False, help_text='Whether its last receiver was slow or did not answer.'),
        ),
        migrations.AlterField(
            model_name='webhookkey',
            name='turn_at',
            field=models.DateTimeField(help_text='When a webhook was last sent for this account; accounts take turns.', null=True),
        ),
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
