"""All tables in one step, as 39 migrations before the first release had made them one by one.

A database of which this one is recorded has them. One that was made before and has less is refused. It is long because
Django wrote most of it.
"""

import uuid
from typing import Any

import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import StateApps

import games.models.packed
import games.models.records

# Verdicts, rating events and acts are only ever added. Verdicts of dry runs alone, which made no game, are removed.
APPEND_ONLY = """
CREATE FUNCTION games_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP;
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON games_ratingevent
FOR EACH ROW EXECUTE FUNCTION games_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON games_act
FOR EACH ROW EXECUTE FUNCTION games_append_only();
CREATE TRIGGER append_only BEFORE UPDATE ON games_verdict
FOR EACH ROW EXECUTE FUNCTION games_append_only();
CREATE TRIGGER never_removed BEFORE DELETE ON games_verdict
FOR EACH ROW WHEN (OLD.game_id IS NOT NULL) EXECUTE FUNCTION games_append_only();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON games_verdict EXECUTE FUNCTION games_append_only();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON games_ratingevent EXECUTE FUNCTION games_append_only();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON games_act EXECUTE FUNCTION games_append_only();
"""
# What is packed is not compressed once more, and its first bytes are read by themselves.
EXTERNAL = """
ALTER TABLE games_movelog ALTER COLUMN data SET STORAGE EXTERNAL, ALTER COLUMN text SET STORAGE EXTERNAL;
ALTER TABLE games_chunk ALTER COLUMN data SET STORAGE EXTERNAL;
"""
# No request waits for a disk to be counted.
UNLOGGED = "ALTER TABLE games_throttle SET UNLOGGED"
# No two names of accounts differ in case alone.
ONE_NAME = "CREATE UNIQUE INDEX games_one_account_a_name ON auth_user (LOWER(username))"


def refuse_older(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Raise an error for a database that an earlier version left half-way."""
    known = MigrationRecorder(schema_editor.connection).applied_migrations()
    if older := sorted(name for app, name in known if app == "games"):
        raise InconsistentMigrationHistory(
            f"This database was made before the migrations of games were put together, and its last one is {older[-1]}. "
            "Migrate it to games.0040_names_of_the_field with the version before this one first."
        )


def make_group(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make the group of moderators."""

    def manager(app: str, model: str) -> Any:
        return apps.get_model(app, model)._default_manager.using(schema_editor.connection.alias)

    # Django makes permissions after all migrations only, and the group needs its own now.
    player = manager("contenttypes", "ContentType").get_or_create(app_label="games", model="player")[0]
    permission = manager("auth", "Permission").get_or_create(
        content_type=player,
        codename="moderate",
        defaults={"name": "Can settle claims, disputes, merges, annulments and flags"},
    )[0]
    group = manager("auth", "Group").get_or_create(name="moderators")[0]
    group.permissions.add(permission)


class Migration(migrations.Migration):
    """Makes all of it."""

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(refuse_older, migrations.RunPython.noop),
        migrations.CreateModel(
            name='AccountMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sealed', models.BinaryField(help_text="Recipient, subject and text, encrypted with the site's key.")),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Counted before each attempt.')),
                ('next_at', models.DateTimeField(db_index=True, help_text='When the next attempt is due; the row is deleted once the mail is sent.')),
            ],
        ),
        migrations.CreateModel(
            name='AccountName',
            fields=[
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='lookalike', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('skeleton', models.CharField(help_text='The skeleton of UTS 39; null where an older name looks the same.', max_length=400, null=True, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name='League',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=40, unique=True)),
                ('name', models.CharField(max_length=80)),
                ('about', models.TextField(blank=True, max_length=2000)),
                ('created_at', models.DateTimeField()),
                ('organisers', models.ManyToManyField(related_name='leagues', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('via', models.CharField(choices=[('web', 'web form'), ('api', 'API'), ('command', 'command')], max_length=8)),
                ('filename', models.CharField(blank=True, max_length=255)),
                ('received_at', models.DateTimeField()),
                ('scored', models.BooleanField(default=True, help_text='False for training games, which never count.')),
                ('private', models.BooleanField(default=False, help_text='Whether its games are private.')),
                ('accepted_at', models.DateTimeField(help_text='When its games were accepted for the league.', null=True)),
                ('accepted_logs', models.PositiveIntegerField(default=0, help_text='Number of records whose games have been accepted so far.')),
                ('split_logs', models.PositiveIntegerField(default=0, help_text='Number of records found in it so far.')),
                ('begun_at', models.DateTimeField(help_text='When a worker took the first of its records.', null=True)),
                ('judged_at', models.DateTimeField(help_text='When a verdict on one of its records was last stored.', null=True)),
                ('done_at', models.DateTimeField(help_text='When the last of its records was done.', null=True)),
                ('notified_at', models.DateTimeField(help_text='When the players of its games were notified.', null=True)),
                ('state', models.CharField(choices=[('receiving', 'receiving'), ('waiting', 'waiting'), ('splitting', 'splitting'), ('verifying', 'verifying'), ('cancelled', 'cancelled'), ('refused', 'refused')], default='verifying', max_length=9)),
                ('dry_run', models.BooleanField(default=False, help_text='Checked only: nothing is published, and it is deleted after a day.')),
                ('file_digest', models.CharField(blank=True, default='', help_text='SHA-256 of the file as sent; empty for an upload without an account.', max_length=64)),
                ('paused', models.BooleanField(default=False, help_text='Whether splitting and verification are paused.')),
                ('repeats', models.ForeignKey(db_index=False, help_text='An earlier upload of the same file by the same account; then nothing of this one is stored.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.upload')),
                ('uploader', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='uploads', to=settings.AUTH_USER_MODEL)),
                ('league', models.ForeignKey(help_text='The league on whose ladders its games count; an organiser uploaded it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='games.league')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('repeats__isnull', False)), fields=['repeats'], name='upload_repeating'), models.Index(condition=models.Q(('dry_run', True)), fields=['done_at'], name='upload_tried'), models.Index(condition=models.Q(('state__in', ['receiving', 'waiting', 'splitting'])), fields=['state'], name='upload_unsplit'), models.Index(condition=models.Q(('file_digest', ''), _negated=True), fields=['uploader', 'file_digest'], name='upload_of_file'), models.Index(condition=models.Q(('accepted_at__isnull', True), ('done_at__isnull', False), ('league__isnull', False)), fields=['received_at', 'id'], name='upload_to_accept'), models.Index(condition=models.Q(('done_at__isnull', False), ('notified_at__isnull', True)), fields=['done_at', 'id'], name='upload_to_tell_of')],
                'constraints': [models.CheckConstraint(condition=models.Q(('via__in', ['web', 'api', 'command'])), name='upload_via_known'), models.CheckConstraint(condition=models.Q(('state__in', ['receiving', 'waiting', 'splitting', 'verifying', 'cancelled', 'refused'])), name='upload_state_known'), models.CheckConstraint(condition=models.Q(('paused', True), ('state', 'cancelled'), _negated=True), name='upload_cancelled_not_paused'), models.CheckConstraint(condition=models.Q(('repeats', None), ('split_logs', 0), _connector='OR'), name='upload_repeating_has_no_logs')],
            },
        ),
        migrations.CreateModel(
            name='Ladder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=40)),
                ('players', models.PositiveIntegerField(default=0, help_text='Players with a game that counts.')),
                ('games', models.PositiveIntegerField(default=0, help_text='Games that count.')),
                ('league', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ladders', to='games.league')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('ruleset', 'league'), name='ladder_once', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='MailPreferences',
            fields=[
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='mail_preferences', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('language', models.CharField(blank=True, help_text="Empty for the site's default language.", max_length=10)),
                ('claims', models.BooleanField(default=True, help_text='Claims to decide, and the decisions on its own.')),
                ('words', models.BooleanField(default=True, help_text='Games that wait to be confirmed.')),
                ('rulings', models.BooleanField(default=True, help_text='Disputes of its games, and the decisions on them.')),
            ],
        ),
        migrations.CreateModel(
            name='WebhookKey',
            fields=[
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='webhook_key', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('salt', models.BinaryField(max_length=32)),
                ('made_at', models.DateTimeField()),
                ('turn_at', models.DateTimeField(help_text='When a webhook was last sent for this account; accounts take turns.', null=True)),
                ('slow', models.BooleanField(default=False, help_text='Whether its last receiver was slow or did not answer.')),
            ],
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=games.models.records.new_key, editable=False, max_length=8)),
                ('ruleset', models.CharField(blank=True, help_text='Empty when the tags name no known ruleset.', max_length=40)),
                ('verdict', models.CharField(choices=[('verified', 'verified'), ('unfinished', 'unfinished'), ('rejected', 'rejected')], help_text='The newest verdict on its first log.', max_length=10)),
                ('digest', models.CharField(help_text='The game digest; null when rejected.', max_length=64, null=True)),
                ('plies', models.PositiveIntegerField(help_text='Legal actions.')),
                ('result', models.CharField(blank=True, max_length=8)),
                ('ended', models.CharField(blank=True, help_text='The rule that ended the game.', max_length=20)),
                ('termination', models.CharField(blank=True, choices=[('played', 'played'), ('resigned', 'resigned'), ('timed_out', 'timed out'), ('agreed', 'agreed')], db_default='', default='', help_text='How it ended: by the rules, by resignation, on time or by agreement; empty while it is unfinished.', max_length=9)),
                ('likeness', models.CharField(blank=True, db_default='', default='', help_text='The same digest for the same moves on a turned board or in other colours; empty when rejected.', max_length=64)),
                ('played_on', models.DateField(help_text='The Date tag, when the whole date is known.', null=True)),
                ('received_at', models.DateTimeField()),
                ('scored', models.BooleanField(default=True, help_text='False when all its uploads are for training.')),
                ('private', models.BooleanField(default=False, help_text='Visible only to its owner and to accounts whose claim to a name in it the owner approved.')),
                ('seating', models.CharField(db_default='', default='', help_text='A digest of who sat where; empty when rejected.', max_length=32)),
                ('upheld', models.BooleanField(db_default=True, default=True, help_text='Among public games of the same moves, the one whose seating applies.')),
                ('owner', models.ForeignKey(db_index=False, help_text='The owner of a private game; others who upload the same moves get a game of their own.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('same_as', models.ForeignKey(db_index=False, help_text='The game its address redirects to: the same game, or the one whose seating applies.', null=True, on_delete=django.db.models.deletion.PROTECT, to='games.game')),
            ],
            options={
                'indexes': [models.Index(models.OrderBy(models.F('received_at'), descending=True), models.OrderBy(models.F('id'), descending=True), name='game_newest'), models.Index(models.F('ruleset'), models.OrderBy(models.F('received_at'), descending=True), models.OrderBy(models.F('id'), descending=True), name='game_newest_of_ruleset'), models.Index(models.F('verdict'), models.OrderBy(models.F('received_at'), descending=True), models.OrderBy(models.F('id'), descending=True), name='game_newest_of_verdict'), models.Index(fields=['likeness'], name='game_like'), models.Index(condition=models.Q(('same_as__isnull', False)), fields=['same_as'], name='game_same'), models.Index(condition=models.Q(('owner__isnull', False)), fields=['owner'], name='game_owner')],
                'constraints': [models.UniqueConstraint(fields=('key',), name='game_key_once'), models.UniqueConstraint(condition=models.Q(('private', False), ('upheld', True)), fields=('digest',), name='game_digest_once'), models.UniqueConstraint(condition=models.Q(('private', False), ('upheld', False)), fields=('digest', 'seating'), name='game_rival_once'), models.UniqueConstraint(condition=models.Q(('owner__isnull', False), ('same_as__isnull', True)), fields=('owner', 'digest', 'seating'), name='game_private_once'), models.CheckConstraint(condition=models.Q(('owner__isnull', True), ('private', True), _connector='OR'), name='game_owned_is_private'), models.CheckConstraint(condition=models.Q(('verdict__in', ['verified', 'unfinished', 'rejected'])), name='game_verdict_known'), models.CheckConstraint(condition=models.Q(('termination__in', ['', 'played', 'resigned', 'timed_out', 'agreed'])), name='game_termination_known'), models.CheckConstraint(condition=models.Q(('verdict', 'rejected'), models.Q(('digest__isnull', False), models.Q(('ruleset', ''), _negated=True)), _connector='OR'), name='game_legal_has_digest')],
            },
        ),
        migrations.CreateModel(
            name='Acceptance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('due_at', models.DateTimeField(help_text='When the last condition was met.')),
                ('number', models.PositiveBigIntegerField(help_text='The number in the sequence, from 1.', null=True, unique=True)),
                ('accepted_at', models.DateTimeField(null=True)),
                ('counts', models.BooleanField(default=True, help_text='False while the game is annulled.')),
                ('held', models.BooleanField(db_default=False, default=False, help_text='True while its flags hold it back, and if it was left unrated.')),
                ('by', models.ForeignKey(help_text='The organiser who accepted it; null where all seats have confirmed.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='acceptances', to='games.game')),
                ('ladder', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='acceptances', to='games.ladder')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('held', False), ('number__isnull', True)), fields=['id'], name='acceptance_due'), models.Index(condition=models.Q(('held', False), ('number__isnull', True)), fields=['ladder', 'id'], name='acceptance_due_in_ladder'), models.Index(condition=models.Q(('held', True)), fields=['ladder', 'id'], name='acceptance_held'), models.Index(fields=['ladder', 'number'], name='acceptance_in_order')],
                'constraints': [models.UniqueConstraint(fields=('game', 'ladder'), name='acceptance_once_a_ladder'), models.CheckConstraint(condition=models.Q(models.Q(('accepted_at__isnull', True), ('number__isnull', True)), models.Q(('accepted_at__isnull', False), ('number__isnull', False)), _connector='OR'), name='acceptance_whole'), models.CheckConstraint(condition=models.Q(('held', False), ('number__isnull', True), _connector='OR'), name='acceptance_held_is_not_placed')],
            },
        ),
        migrations.CreateModel(
            name='Archive',
            fields=[
                ('upload', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='archive', serialize=False, to='games.upload')),
                ('length', models.PositiveBigIntegerField(help_text='The size of the whole file in bytes.')),
                ('received', models.PositiveBigIntegerField(default=0, help_text='Bytes received so far, without a gap.')),
                ('mark', models.CharField(blank=True, help_text="The sender's own name for the file, to resume it by.", max_length=100)),
                ('touched_at', models.DateTimeField(help_text='When bytes were last received.')),
                ('entry', models.PositiveIntegerField(default=0, help_text='The entry of a zip archive that is being split.')),
                ('entry_logs', models.PositiveIntegerField(default=0, help_text='Records of that entry that have become logs.')),
                ('read', models.PositiveBigIntegerField(default=0, help_text='Bytes of the file that were unpacked for those records.')),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Counted before each attempt; reset with each step forward.')),
                ('fence', models.PositiveIntegerField(default=0, help_text='Rises with every lease; only the newest holder may store results.')),
                ('leased_until', models.DateTimeField(null=True)),
                ('claimed_at', models.DateTimeField(help_text='When a worker last took it; accounts take turns.', null=True)),
                ('code', models.CharField(blank=True, help_text='Why the rest of the file was refused, as a code for programs.', max_length=30)),
                ('trouble', models.TextField(blank=True, help_text='The sentence as a template to translate; its parameters are in `params`.')),
                ('params', models.JSONField(default=dict)),
            ],
            options={
                'indexes': [models.Index(fields=['touched_at'], name='archive_touched'), models.Index(condition=models.Q(('claimed_at__isnull', False)), fields=['claimed_at'], name='archive_claimed')],
                'constraints': [models.CheckConstraint(condition=models.Q(('received__lte', models.F('length'))), name='archive_not_over_length'), models.CheckConstraint(condition=models.Q(('code', ''), models.Q(('trouble', ''), _negated=True), _connector='OR'), name='archive_refusal_has_reason')],
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=64)),
                ('source', models.CharField(blank=True, help_text="Where the name is used: the logs' Site tag.", max_length=255)),
                ('is_bot', models.BooleanField(default=False)),
                ('is_pseudonym', models.BooleanField(default=False, help_text='The account was deleted, and its name with it.')),
                ('created_at', models.DateTimeField()),
                ('unsettled_after', models.BigIntegerField(help_text='The name changed hands, and games with greater ids are still to be checked; null when all are.', null=True)),
                ('account', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='players', to=settings.AUTH_USER_MODEL)),
                ('introduced_by', models.ForeignKey(blank=True, help_text='The account whose public upload first named the player; it, or a moderator, decides claims.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('merged_into', models.ForeignKey(blank=True, help_text='The player this one was merged into, who is not merged himself.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='games.player')),
            ],
            options={
                'permissions': [('moderate', 'Can settle claims, disputes, merges, annulments and flags')],
                'indexes': [models.Index(fields=['name'], name='player_by_name'), models.Index(condition=models.Q(('unsettled_after__isnull', False)), fields=['id'], name='player_unsettled')],
                'constraints': [models.UniqueConstraint(fields=('source', 'name'), name='player_once_a_source'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='player_has_a_name'), models.CheckConstraint(condition=models.Q(('merged_into', models.F('id')), _negated=True), name='player_is_not_merged_into_itself')],
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField(blank=True, max_length=1000)),
                ('made_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('open', 'open'), ('approved', 'approved'), ('refused', 'refused'), ('withdrawn', 'withdrawn'), ('revoked', 'revoked')], default='open', max_length=9)),
                ('decided_at', models.DateTimeField(null=True)),
                ('answer', models.TextField(blank=True, max_length=1000)),
                ('approved_from', models.DateTimeField(help_text='When it is approved unless somebody contests it: for a name that the claimant uploaded first.', null=True)),
                ('contested_at', models.DateTimeField(help_text='Since when only a moderator can decide it.', null=True)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to=settings.AUTH_USER_MODEL)),
                ('contested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='games.player')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'open')), fields=['made_at', 'id'], name='claim_open'), models.Index(condition=models.Q(('approved_from__isnull', False), ('contested_at__isnull', True), ('state', 'open')), fields=['approved_from'], name='claim_uncontested')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['open', 'approved', 'refused', 'withdrawn', 'revoked'])), name='claim_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('decided_at__isnull', False)), _connector='OR'), name='claim_decided_with_a_date'), models.UniqueConstraint(condition=models.Q(('state', 'approved')), fields=('player',), name='claim_one_a_player'), models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('player', 'account'), name='claim_open_once')],
            },
        ),
        migrations.CreateModel(
            name='Correction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('annulment', 'annulment'), ('restoration', 'restoration'), ('merge', 'merge'), ('split', 'split')], max_length=11)),
                ('reason', models.TextField(max_length=1000)),
                ('ordered_at', models.DateTimeField()),
                ('order', models.PositiveBigIntegerField(help_text='Its number among all corrections; null until it is done.', null=True, unique=True)),
                ('after', models.PositiveBigIntegerField(help_text='The last number given before it was done.', null=True)),
                ('done_at', models.DateTimeField(null=True)),
                ('changed', models.PositiveIntegerField(default=0, help_text='Number of ratings that it changed.')),
                ('acceptance', models.ForeignKey(help_text='Annulled or restored.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='games.acceptance')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('into', models.ForeignKey(help_text='The player merged into, or split from.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
                ('player', models.ForeignKey(help_text='Merged or split.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='games.player')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('order__isnull', True)), fields=['id'], name='recount_waiting')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('acceptance__isnull', False), ('kind__in', ['annulment', 'restoration']), ('player__isnull', True)), models.Q(('acceptance__isnull', True), ('into__isnull', False), ('kind__in', ['merge', 'parting']), ('player__isnull', False)), _connector='OR'), name='recount_of_a_game_or_a_player'), models.CheckConstraint(condition=models.Q(models.Q(('after__isnull', True), ('done_at__isnull', True), ('order__isnull', True)), models.Q(('after__isnull', False), ('done_at__isnull', False), ('order__isnull', False)), _connector='OR'), name='recount_done_whole')],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500)),
                ('made_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Counted before each attempt.')),
                ('next_at', models.DateTimeField(help_text='When the next attempt is due; null once it is sent or given up.', null=True)),
                ('leased_until', models.DateTimeField(help_text='Until when a worker holds it.', null=True)),
                ('sent_at', models.DateTimeField(null=True)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to=settings.AUTH_USER_MODEL)),
                ('upload', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='delivery', to='games.upload')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('next_at__isnull', False)), fields=['account', 'next_at'], name='delivery_in_turn')],
                'constraints': [models.CheckConstraint(condition=models.Q(('sent_at__isnull', True), ('next_at__isnull', True), _connector='OR'), name='delivery_sent_once')],
            },
        ),
        migrations.CreateModel(
            name='DeliveryAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('milliseconds', models.PositiveIntegerField()),
                ('status', models.PositiveSmallIntegerField(null=True)),
                ('template', models.CharField(blank=True, help_text='Why there was no answer, as a template to translate.', max_length=200)),
                ('params', models.JSONField(default=dict)),
                ('delivery', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tries', to='games.delivery')),
            ],
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='In the order of the archive, from 1.')),
                ('name', models.CharField(help_text='For display only.', max_length=255)),
                ('upload', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='games.upload')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('upload', 'number'), name='entry_once_in_upload')],
            },
        ),
        migrations.CreateModel(
            name='Dispute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField(max_length=1000)),
                ('raised_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('open', 'open'), ('upheld', 'upheld'), ('dismissed', 'dismissed'), ('withdrawn', 'withdrawn')], default='open', max_length=9)),
                ('settled_at', models.DateTimeField(null=True)),
                ('answer', models.TextField(blank=True, max_length=1000)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='disputes', to=settings.AUTH_USER_MODEL)),
                ('settled_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='games.game')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'open')), fields=['raised_at', 'id'], name='dispute_open')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['open', 'upheld', 'dismissed', 'withdrawn'])), name='dispute_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('settled_at__isnull', True), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('settled_at__isnull', False)), _connector='OR'), name='dispute_settled_with_a_date'), models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('game', 'account'), name='dispute_open_once')],
            },
        ),
        migrations.CreateModel(
            name='Confirmation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField(help_text='In turn order, from 0.')),
                ('digest', models.CharField(max_length=64)),
                ('ruleset', models.CharField(max_length=40)),
                ('how', models.CharField(choices=[('word', 'by its own word'), ('upload', 'by an upload of its own')], max_length=6)),
                ('at', models.DateTimeField()),
                ('until', models.DateTimeField(help_text='When it expires, unless all seats have confirmed by then.')),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='confirmations', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='confirmations', to='games.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('withdrawn_at__isnull', True)), fields=('game', 'seat'), name='confirmation_stands_once'), models.CheckConstraint(condition=models.Q(('how__in', ['word', 'upload'])), name='confirmation_how_known')],
            },
        ),
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('raised_at', models.DateTimeField()),
                ('holds', models.BooleanField(help_text='Whether the game waits for the decision. A confirmed game continues to count.')),
                ('state', models.CharField(choices=[('open', 'open'), ('upheld', 'upheld'), ('dismissed', 'dismissed')], default='open', max_length=9)),
                ('settled_at', models.DateTimeField(null=True)),
                ('answer', models.TextField(blank=True, help_text="The moderator's reason; empty after agreement.", max_length=1000)),
                ('raised_by', models.ForeignKey(help_text='Who uploaded it; null for an upload without an account.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('settled_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(help_text='The game whose seating is challenged.', on_delete=django.db.models.deletion.PROTECT, related_name='challenges', to='games.game')),
                ('rival', models.ForeignKey(help_text='The same moves with the other seating.', on_delete=django.db.models.deletion.PROTECT, related_name='challenging', to='games.game')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'open')), fields=['raised_at', 'id'], name='challenge_open'), models.Index(condition=models.Q(('state', 'open')), fields=['game', 'id'], name='challenge_open_of_game')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['open', 'upheld', 'dismissed'])), name='challenge_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('settled_at__isnull', True), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('settled_at__isnull', False)), _connector='OR'), name='challenge_settled_with_a_date'), models.CheckConstraint(condition=models.Q(('game', models.F('rival')), _negated=True), name='challenge_of_another'), models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('rival',), name='challenge_open_once')],
            },
        ),
        migrations.CreateModel(
            name='LeaderboardSnapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('after', models.PositiveBigIntegerField(help_text='For a period: the last entry before it, or 0.', null=True)),
                ('upto', models.PositiveBigIntegerField(help_text='The last entry that is included, or 0.')),
                ('asked_at', models.DateTimeField(help_text='When somebody last asked for it, accurate to a day.')),
                ('made_at', models.DateTimeField(null=True)),
                ('players', models.PositiveIntegerField(default=0)),
                ('games', models.PositiveIntegerField(default=0, help_text='Games that count.')),
                ('digest', models.CharField(blank=True, help_text='Of the set of games.', max_length=64)),
                ('bars', models.JSONField(default=dict, help_text='Number of players for each range of ratings.')),
                ('ladder', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='boards', to='games.ladder')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('made_at__isnull', True)), fields=['id'], name='board_waiting')],
                'constraints': [models.UniqueConstraint(fields=('ladder', 'after', 'upto'), name='board_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('made_at__isnull', True), ('digest__regex', '^[0-9a-f]{64}$'), _connector='OR'), name='board_made_has_a_digest')],
            },
        ),
        migrations.CreateModel(
            name='MoveLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text="The record's number in its file, from 1.")),
                ('line', models.PositiveIntegerField(help_text='The line of the file in which it begins, from 1.')),
                ('offset', models.PositiveBigIntegerField(help_text='The byte of the unpacked file at which it begins, from 0; null for older records.', null=True)),
                ('form', models.CharField(max_length=4)),
                ('data', games.models.packed.PackedBytesField(help_text='The bytes as sent.')),
                ('too_long', models.BooleanField(default=False, help_text='The record is over the size limit; only its beginning is stored.')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('running', 'running'), ('judged', 'judged'), ('quarantined', 'quarantined'), ('held', 'held'), ('cancelled', 'cancelled'), ('dry_run', 'dry run')], default='waiting', max_length=11)),
                ('queued_at', models.DateTimeField(help_text='When it was queued.')),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Counted before each attempt.')),
                ('fence', models.PositiveIntegerField(default=0, help_text='Rises with every lease; only the newest holder may store results.')),
                ('leased_until', models.DateTimeField(null=True)),
                ('trouble', models.TextField(blank=True, help_text='Why verification failed, as far as is known.')),
                ('seats', models.JSONField(default=list, help_text="Letter and player's name of each seat, as this log names them.")),
                ('text', games.models.packed.PackedTextField(blank=True, default='', help_text='The canonical text; empty when rejected.')),
                ('game_digest', models.CharField(blank=True, max_length=64)),
                ('record_digest', models.CharField(blank=True, max_length=64)),
                ('verdict', models.CharField(blank=True, db_default='', default='', help_text='The newest verdict; empty before the first.', max_length=10)),
                ('rule', models.CharField(blank=True, db_default='', default='', help_text='The first rule that it breaks.', max_length=20)),
                ('entry', models.ForeignKey(db_index=False, help_text='The file of a zip archive that contains it; line and offset count within that file.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.entry')),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='logs', to='games.game')),
                ('upload', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='logs', to='games.upload')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['attempts', 'number', 'id'], name='log_waiting'), models.Index(condition=models.Q(('state', 'running')), fields=['leased_until'], name='log_running'), models.Index(condition=models.Q(('state', 'tried')), fields=['upload', 'game_digest', 'number'], name='log_tried'), models.Index(condition=models.Q(('state__in', ['held', 'quarantined'])), fields=['upload'], name='log_set_aside'), models.Index(condition=models.Q(('verdict__in', ['unfinished', 'rejected'])), fields=['upload', 'verdict', 'rule', 'number'], name='log_not_verified')],
                'constraints': [models.UniqueConstraint(fields=('upload', 'number'), name='log_once_in_upload'), models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'judged', 'quarantined', 'held', 'cancelled', 'tried'])), name='log_state_known'), models.CheckConstraint(condition=models.Q(('form__in', ['text', 'json'])), name='log_form_known'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'judged'), _negated=True), ('game__isnull', False), _connector='OR'), name='log_judged_has_game')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('claim-made', 'a claim waits for its decision'), ('claim-decided', 'its claim was decided'), ('claim-revoked', 'its claim was revoked'), ('claim-contested', 'somebody contests a claim of its own'), ('to-confirm', 'games wait to be confirmed'), ('dispute-raised', 'a game of its own is disputed'), ('dispute-settled', 'such a dispute has ended'), ('game-annulled', 'a game of its own was annulled'), ('game-restored', 'a game of its own counts again'), ('seating-raised', 'another upload of a game names others'), ('seating-settled', 'it was decided who sat there')], max_length=15)),
                ('noted_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Counted before each attempt.')),
                ('next_at', models.DateTimeField(help_text='When the next attempt is due; null once it is sent or given up.', null=True)),
                ('sent_at', models.DateTimeField(null=True)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
                ('challenge', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='games.challenge')),
                ('claim', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='games.claim')),
                ('dispute', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='games.dispute')),
                ('recount', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='games.correction')),
                ('upload', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='games.upload')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('next_at__isnull', False)), fields=['next_at'], name='notice_due')],
                'constraints': [models.UniqueConstraint(fields=('account', 'kind', 'claim', 'upload', 'dispute', 'recount', 'challenge'), name='notice_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(models.Q(('claim__isnull', False), ('kind__startswith', 'claim-')), models.Q(('kind', 'words-wanted'), ('upload__isnull', False)), models.Q(('dispute__isnull', False), ('kind__startswith', 'dispute-')), models.Q(('kind__startswith', 'game-'), ('recount__isnull', False)), models.Q(('challenge__isnull', False), ('kind__startswith', 'seating-')), _connector='OR'), name='notice_about_something'), models.CheckConstraint(condition=models.Q(('sent_at__isnull', True), ('next_at__isnull', True), _connector='OR'), name='notice_sent_once')],
            },
        ),
        migrations.CreateModel(
            name='Flag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('same-person', 'one account in two seats'), ('repeated-pairing', 'the same rivals again and again'), ('resign-farming', 'early resignations to one player'), ('new-account', 'an account that is brand-new'), ('likeness', 'the same play as a game that came before'), ('unvouched', 'nobody independent vouches for a player')], max_length=16)),
                ('params', models.JSONField(default=dict, help_text='The figures that met the threshold.')),
                ('raised_at', models.DateTimeField()),
                ('looked_at', models.DateTimeField(help_text='When it was last checked whether the reason still holds; null if never.', null=True)),
                ('settled_at', models.DateTimeField(null=True)),
                ('answer', models.TextField(blank=True, max_length=1000)),
                ('unrated', models.BooleanField(db_default=False, default=False, help_text='Whether it was settled by leaving the game unrated on the ladder.')),
                ('settled_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='flags', to='games.game')),
                ('ladder', models.ForeignKey(help_text='The ladder on which the game waits; null if it does not wait.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.ladder')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='flags', to='games.player')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('settled_at__isnull', True)), fields=['raised_at', 'id'], name='flag_open'), models.Index(fields=['game', 'ladder'], name='flag_of_game'), models.Index(models.OrderBy(models.F('looked_at'), nulls_first=True), models.F('id'), condition=models.Q(('kind__in', ['unvouched', 'new-account']), ('settled_at__isnull', True)), name='flag_looked_at')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'game', 'player', 'ladder'), name='flag_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('unrated', False), models.Q(('ladder__isnull', False), ('settled_at__isnull', False)), _connector='OR'), name='flag_unrated_once_settled')],
            },
        ),
        migrations.CreateModel(
            name='BestRank',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rank', models.PositiveIntegerField()),
                ('number', models.PositiveBigIntegerField(help_text='The number of the game that brought it.')),
                ('at', models.DateTimeField()),
                ('ladder', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.ladder')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='best_ranks', to='games.player')),
            ],
            options={
                'indexes': [models.Index(fields=['ladder', 'at'], name='best_rank_by_time')],
                'constraints': [models.UniqueConstraint(fields=('ladder', 'player', 'rank'), name='best_rank_once')],
            },
        ),
        migrations.CreateModel(
            name='Act',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('claim-approved', 'claim approved'), ('claim-refused', 'claim refused'), ('claim-revoked', 'claim revoked'), ('dispute-upheld', 'dispute upheld'), ('dispute-dismissed', 'dispute dismissed'), ('game-annulled', 'game annulled'), ('game-restored', 'game restored'), ('players-merged', 'players merged'), ('players-split', 'players split'), ('flag-settled', 'flag settled'), ('game-let-count', 'game that waited counts'), ('game-left-unrated', 'game that waited does not count'), ('name-vouched', 'name vouched for'), ('claim-contested', 'claim contested'), ('bot-marked', 'marked as a bot'), ('bot-unmarked', 'no longer marked as a bot'), ('league-founded', 'league founded'), ('organiser-named', 'organiser named'), ('organiser-dismissed', 'organiser dismissed'), ('moderator-named', 'moderator named'), ('moderator-dismissed', 'moderator dismissed'), ('game-hidden', 'game made private'), ('game-shown', 'game made public'), ('account-deleted', 'account deleted'), ('seating-chosen', 'seating chosen'), ('seating-agreed', 'seating agreed'), ('ledger-rebuilt', 'ledger rebuilt')], max_length=20)),
                ('at', models.DateTimeField()),
                ('reason', models.TextField(blank=True, max_length=1000)),
                ('params', models.JSONField(default=dict, help_text='Ids of what else the decision concerned.')),
                ('by', models.ForeignKey(db_constraint=False, help_text='Kept as a number after the account is deleted.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='games.game')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='games.player')),
            ],
            options={
                'indexes': [models.Index(fields=['-at', '-id'], name='act_newest')],
            },
        ),
        migrations.CreateModel(
            name='RankBucket',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('points', models.IntegerField(help_text='The rating, rounded down; may be negative.')),
                ('players', models.PositiveIntegerField()),
                ('ladder', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='buckets', to='games.ladder')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('ladder', 'points'), name='bucket_once')],
            },
        ),
        migrations.CreateModel(
            name='RatingEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(help_text="The game's number in the sequence.")),
                ('seat', models.PositiveSmallIntegerField()),
                ('place', models.PositiveSmallIntegerField()),
                ('algorithm', models.CharField(max_length=40)),
                ('mu_before', models.FloatField()),
                ('sigma_before', models.FloatField()),
                ('mu', models.FloatField()),
                ('sigma', models.FloatField()),
                ('counts', models.BooleanField(default=True, help_text='Whether the game counts for this player.')),
                ('at', models.DateTimeField()),
                ('acceptance', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='games.acceptance')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rating_events', to='games.game')),
                ('ladder', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.ladder')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rating_events', to='games.player')),
                ('recount', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='games.correction')),
            ],
            options={
                'indexes': [models.Index(fields=['player', 'ladder', 'number', 'id'], name='rating_history'), models.Index(fields=['ladder', 'at', 'id'], name='rating_by_time'), models.Index(condition=models.Q(('recount__isnull', False)), fields=['recount'], name='rating_of_recount')],
                'constraints': [models.UniqueConstraint(fields=('number', 'seat', 'recount'), name='rating_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('sigma__gt', 0), ('sigma_before__gt', 0)), name='rating_sigma_positive')],
            },
        ),
        migrations.CreateModel(
            name='Seating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField(help_text='In turn order, from 0.')),
                ('letter', models.CharField(max_length=1)),
                ('place', models.PositiveSmallIntegerField(help_text='Null while the game is unfinished.', null=True)),
                ('left_in', models.PositiveSmallIntegerField(help_text='The round or pair of turns in which the player left; null if they played to the end.', null=True)),
                ('sheet', models.JSONField(default=dict, help_text="What the seat's score sheet shows at the end, by name.")),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seatings', to='games.game')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seatings', to='games.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'seat'), name='seating_once_a_seat'), models.UniqueConstraint(fields=('game', 'player'), name='seating_once_a_player'), models.CheckConstraint(condition=models.Q(('place__isnull', True), ('place__range', (1, 4)), _connector='OR'), name='seating_place_known')],
            },
        ),
        migrations.CreateModel(
            name='SeatingChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(help_text='The game digest, which all seatings share.', max_length=64)),
                ('at', models.DateTimeField()),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seating_choices', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(help_text='The seating chosen.', on_delete=django.db.models.deletion.PROTECT, related_name='choices', to='games.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('digest', 'account'), name='choice_once')],
            },
        ),
        migrations.CreateModel(
            name='SnapshotRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('line', models.PositiveIntegerField(help_text='From 1.')),
                ('rank', models.PositiveIntegerField()),
                ('games', models.PositiveIntegerField()),
                ('wins', models.PositiveIntegerField()),
                ('draws', models.PositiveIntegerField()),
                ('losses', models.PositiveIntegerField()),
                ('first', models.PositiveIntegerField()),
                ('second', models.PositiveIntegerField()),
                ('third', models.PositiveIntegerField()),
                ('fourth', models.PositiveIntegerField()),
                ('beaten', models.PositiveIntegerField()),
                ('mu_before', models.FloatField(help_text='At the start of the period.')),
                ('sigma_before', models.FloatField()),
                ('mu', models.FloatField()),
                ('sigma', models.FloatField()),
                ('board', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='games.leaderboardsnapshot')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('board', 'line'), name='board_line_once'), models.UniqueConstraint(fields=('board', 'player'), name='board_player_once')],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('games', models.PositiveIntegerField(default=0)),
                ('wins', models.PositiveIntegerField(default=0, help_text='Alone in first place.')),
                ('draws', models.PositiveIntegerField(default=0, help_text='Sharing first place.')),
                ('losses', models.PositiveIntegerField(default=0)),
                ('first', models.PositiveIntegerField(default=0)),
                ('second', models.PositiveIntegerField(default=0)),
                ('third', models.PositiveIntegerField(default=0)),
                ('fourth', models.PositiveIntegerField(default=0)),
                ('beaten', models.PositiveIntegerField(default=0, help_text='The shares of rivals beaten, added up, in twelfths.')),
                ('mu', models.FloatField()),
                ('sigma', models.FloatField()),
                ('value', models.GeneratedField(db_persist=True, expression=django.db.models.expressions.CombinedExpression(models.F('mu'), '-', django.db.models.expressions.CombinedExpression(models.Value(3), '*', models.F('sigma'))), output_field=models.FloatField())),
                ('last_number', models.PositiveBigIntegerField(help_text='The number of the newest game that counts.')),
                ('last_at', models.DateTimeField(help_text='When that game was accepted.')),
                ('ladder', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='standings', to='games.ladder')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='standings', to='games.player')),
            ],
            options={
                'indexes': [models.Index(models.F('ladder'), models.OrderBy(models.F('value'), descending=True), models.F('player'), name='standing_ladder'), models.Index(fields=['ladder', 'last_at'], name='standing_active')],
                'constraints': [models.UniqueConstraint(fields=('ladder', 'player'), name='standing_once_a_ladder'), models.CheckConstraint(condition=models.Q(('games', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('wins'), '+', models.F('draws')), '+', models.F('losses')))), name='standing_results_add_up'), models.CheckConstraint(condition=models.Q(('games', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('first'), '+', models.F('second')), '+', models.F('third')), '+', models.F('fourth')))), name='standing_places_add_up'), models.CheckConstraint(condition=models.Q(('first', django.db.models.expressions.CombinedExpression(models.F('wins'), '+', models.F('draws')))), name='standing_first_won_or_drawn'), models.CheckConstraint(condition=models.Q(('games__gt', 0)), name='standing_has_a_game')],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verdict', models.CharField(choices=[('verified', 'verified'), ('unfinished', 'unfinished'), ('rejected', 'rejected'), ('quarantined', 'quarantined'), ('cancelled', 'cancelled')], max_length=11)),
                ('rule', models.CharField(blank=True, help_text='For rejected records: the first rule that was broken.', max_length=20)),
                ('games', models.PositiveIntegerField()),
                ('upload', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='games.upload')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('upload', 'verdict', 'rule'), name='tally_once'), models.CheckConstraint(condition=models.Q(('verdict__in', ['verified', 'unfinished', 'rejected', 'quarantined', 'cancelled'])), name='tally_verdict_known')],
            },
        ),
        migrations.CreateModel(
            name='Throttle',
            fields=[
                ('key', models.CharField(max_length=160, primary_key=True, serialize=False)),
                ('used', models.PositiveIntegerField()),
                ('until', models.DateTimeField(help_text='When the period ends and the count starts again.')),
            ],
            options={
                'indexes': [models.Index(fields=['until'], name='throttle_over')],
            },
        ),
        migrations.CreateModel(
            name='Verdict',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('engine_version', models.CharField(max_length=20)),
                ('verdict', models.CharField(choices=[('verified', 'verified'), ('unfinished', 'unfinished'), ('rejected', 'rejected')], max_length=10)),
                ('rule', models.CharField(blank=True, max_length=20)),
                ('line', models.PositiveIntegerField(help_text='In the uploaded file, from 1.', null=True)),
                ('column', models.PositiveIntegerField(help_text='In characters, from 1.', null=True)),
                ('ply', models.PositiveIntegerField(null=True)),
                ('token', models.CharField(max_length=64, null=True)),
                ('template', models.TextField(blank=True, help_text='The sentence as a template to translate; its parameters are in `params`.')),
                ('params', models.JSONField(default=dict)),
                ('legal', models.JSONField(help_text='Up to 20 actions that were legal where an action was at fault.', null=True)),
                ('plies', models.PositiveIntegerField(null=True)),
                ('judged_at', models.DateTimeField()),
                ('game', models.ForeignKey(help_text='Null in a dry run.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='verdicts', to='games.game')),
                ('log', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='verdicts', to='games.movelog')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('log', 'engine_version'), name='verdict_once_an_engine'), models.CheckConstraint(condition=models.Q(('verdict__in', ['verified', 'unfinished', 'rejected'])), name='verdict_kind_known'), models.CheckConstraint(condition=models.Q(models.Q(('verdict', 'rejected'), models.Q(('rule', ''), _negated=True), ('line__isnull', False), ('column__isnull', False)), models.Q(models.Q(('verdict', 'rejected'), _negated=True), ('rule', ''), ('plies__isnull', False)), _connector='OR'), name='verdict_rejects_by_rule')],
            },
        ),
        migrations.CreateModel(
            name='Vouch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('moderator', 'as a moderator'), ('organiser', 'as a league’s organiser'), ('player', 'as another player')], max_length=9)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(help_text='Null where the operator did it, or the account was deleted.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('claim', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vouches', to='games.claim')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('claim', 'by'), name='vouch_once'), models.CheckConstraint(condition=models.Q(('role__in', ['moderator', 'organiser', 'player'])), name='vouch_role_known')],
            },
        ),
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=255)),
                ('fingerprint', models.CharField(help_text='A digest of the request: a different request may not reuse the key.', max_length=64)),
                ('status', models.PositiveSmallIntegerField()),
                ('headers', models.JSONField(default=dict)),
                ('body', models.JSONField()),
                ('made_at', models.DateTimeField()),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['made_at'], name='answer_over')],
                'constraints': [models.UniqueConstraint(fields=('account', 'key'), name='answer_once_a_key')],
            },
        ),
        migrations.CreateModel(
            name='Chunk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('offset', models.PositiveBigIntegerField()),
                ('data', models.BinaryField(help_text='At most 1 MiB; the database stores it uncompressed and outside the row.')),
                ('archive', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='chunks', to='games.archive')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('archive', 'offset'), name='chunk_once_in_archive')],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, "DROP FUNCTION games_append_only() CASCADE"),
        migrations.RunSQL(EXTERNAL, migrations.RunSQL.noop),
        migrations.RunSQL(UNLOGGED, migrations.RunSQL.noop),
        migrations.RunSQL(ONE_NAME, "DROP INDEX games_one_account_a_name"),
        migrations.RunPython(make_group, migrations.RunPython.noop),
    ]
