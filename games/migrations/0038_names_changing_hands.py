"""How far the games of a name have been looked at since it changed hands."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0037_account_mails'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='unsettled_after',
            field=models.BigIntegerField(help_text='Games after this one are still to be looked at, as the name changed hands; none when all are.', null=True),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('unsettled_after__isnull', False)), fields=['id'], name='player_unsettled'),
        ),
    ]
