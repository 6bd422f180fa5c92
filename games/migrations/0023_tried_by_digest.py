"""Records of a dry run are found by the game that they tell."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0022_repeating_uploads'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='movelog',
            index=models.Index(condition=models.Q(('state', 'tried')), fields=['upload', 'game_digest', 'number'], name='log_tried'),
        ),
    ]
