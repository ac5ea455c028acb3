import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The table keeps its name, for the release that still runs."""

    dependencies = [("recordings", "0009_folded")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterModelTable("KnownSharing", "recordings_knownsharing"),
                migrations.RenameModel("KnownSharing", "StoredSharing"),
                migrations.AlterField(
                    "StoredSharing",
                    "recording",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stored_sharing",
                        to="recordings.mirroredrecording",
                    ),
                ),
            ]
        )
    ]
