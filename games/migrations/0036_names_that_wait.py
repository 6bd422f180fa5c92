"""When a flag was last looked at again, and in which round a seat gave up; of games from before nobody knows."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0035_names_introduced_in_public'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='flag',
            name='looked_at',
            field=models.DateTimeField(help_text='When it was last looked whether it is so no longer; none as long as it never was.', null=True),
        ),
        migrations.AddField(
            model_name='seating',
            name='left_in',
            field=models.PositiveSmallIntegerField(help_text='The round, or pair of turns, in which the seat gave up; none if it played on.', null=True),
        ),
        migrations.AddIndex(
            model_name='flag',
            index=models.Index(models.OrderBy(models.F('looked_at'), nulls_first=True), models.F('id'), condition=models.Q(('kind__in', ['unvouched', 'new-account']), ('settled_at__isnull', True)), name='flag_looked_at'),
        ),
    ]
