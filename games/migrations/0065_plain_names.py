from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0064_openings'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='archive',
            name='archive_refusal_has_reason',
        ),
        migrations.RemoveConstraint(
            model_name='attendance',
            name='attendance_says_known',
        ),
        migrations.RenameField(
            model_name='archive',
            old_name='trouble',
            new_name='template',
        ),
        migrations.RenameField(
            model_name='attendance',
            old_name='says',
            new_name='answer',
        ),
        migrations.RenameField(
            model_name='movelog',
            old_name='trouble',
            new_name='failure',
        ),
        migrations.AddConstraint(
            model_name='archive',
            constraint=models.CheckConstraint(condition=models.Q(('code', ''), models.Q(('template', ''), _negated=True), _connector='OR'), name='archive_refusal_has_reason'),
        ),
        migrations.AddConstraint(
            model_name='attendance',
            constraint=models.CheckConstraint(condition=models.Q(('answer__in', ['yes', 'maybe', 'no'])), name='attendance_answer_known'),
        ),
    ]
