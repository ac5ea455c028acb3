"""Gives the model of uploaded tables to `portal.imports`; the table and its rows stay."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('ui', '0004_own_views_and_tables'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name='KeptTable')],
        ),
    ]
