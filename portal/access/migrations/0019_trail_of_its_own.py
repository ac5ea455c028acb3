"""Leaves the trail to `audit`: nothing of its tables changes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("access", "0001_squashed_0018_first_steps"),
        ("audit", "0001_trail"),
        ("approvals", "0006_trail_of_its_own"),
        # The last one of another room that reads the trail of `access`.
        ("reports", "0001_squashed_0007_stored"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name="AuditEntry"),
                migrations.DeleteModel(name="AuditHead"),
            ],
        ),
    ]
