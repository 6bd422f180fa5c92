from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0079_names_that_look_alike'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='opened_from',
            field=models.CharField(blank=True, db_default='', default='', help_text="The keyed digest of a guest's network, while the table is open.", max_length=32),
        ),
        migrations.AddField(
            model_name='tableseat',
            name='aborted_at',
            field=models.DateTimeField(help_text='When it aborted a rated game, though the deal was seen.', null=True),
        ),
    ]
