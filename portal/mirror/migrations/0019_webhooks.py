"""Gives the models of webhooks to `portal.webhooks`; tables stay as they are."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('webhooks', '0001_initial'),
        ('mirror', '0018_clock_of_database'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='Refusal'),
                migrations.DeleteModel(name='Gap'),
                migrations.DeleteModel(name='Delivery'),
                migrations.DeleteModel(name='Subscription'),
            ],
        ),
    ]
