"""Gives the models of mirrored lists to the rooms that own them; tables stay as they are."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('mirror', '0007_trigrams'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='Membership'),
                migrations.DeleteModel(name='MirroredUser'),
                migrations.DeleteModel(name='MirroredGroup'),
                migrations.DeleteModel(name='Occurrence'),
                migrations.DeleteModel(name='MirroredSession'),
                migrations.DeleteModel(name='RecordedSession'),
            ],
        ),
    ]
