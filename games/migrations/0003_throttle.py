"""Requests are counted in a table of ours; it is not logged, so that no request waits for a disk."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0002_append_only'),
    ]

    operations = [
        migrations.CreateModel(
            name='Throttle',
            fields=[
                ('key', models.CharField(max_length=160, primary_key=True, serialize=False)),
                ('used', models.PositiveIntegerField()),
                ('until', models.DateTimeField(help_text='When the period ends and the count begins anew.')),
            ],
            options={
                'indexes': [models.Index(fields=['until'], name='throttle_over')],
            },
        ),
        migrations.RunSQL('ALTER TABLE games_throttle SET UNLOGGED', 'ALTER TABLE games_throttle SET LOGGED'),
    ]
