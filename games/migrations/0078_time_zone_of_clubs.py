from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0077_former_names'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='time_zone',
            field=models.CharField(db_default='UTC', default='UTC', help_text='Its name by IANA: evenings and seasons are its days.', max_length=64),
        ),
    ]
