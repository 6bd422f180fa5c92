from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('games', '0068_notices_of_comments'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='gamecomment',
            index=models.Index(condition=models.Q(('notified_at__isnull', True)), fields=['game'], name='comment_to_tell_of'),
        ),
        AddIndexConcurrently(
            model_name='study',
            index=models.Index(condition=models.Q(('notified_at__isnull', True), ('notified_at__lt', models.F('changed_at')), _connector='OR'), fields=['changed_at'], name='study_to_tell_of'),
        ),
    ]
