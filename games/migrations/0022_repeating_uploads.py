"""An upload says of which other its file is the very same."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0021_dry_runs'),
    ]

    operations = [
        migrations.AddField(
            model_name='upload',
            name='repeats',
            field=models.ForeignKey(db_index=False, help_text='The upload of the same account whose file this one turned out to be: nothing of it is kept.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.upload'),
        ),
        migrations.AddIndex(
            model_name='upload',
            index=models.Index(condition=models.Q(('repeats__isnull', False)), fields=['repeats'], name='upload_repeating'),
        ),
        migrations.AddConstraint(
            model_name='upload',
            constraint=models.CheckConstraint(condition=models.Q(('repeats', None), ('split_logs', 0), _connector='OR'), name='upload_repeating_has_no_logs'),
        ),
    ]
