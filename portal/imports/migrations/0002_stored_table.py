from django.db import migrations

import portal.config.clock


class Migration(migrations.Migration):
    """The table and its columns keep their names, for the release that still runs."""

    dependencies = [("imports", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("KeptTable", "StoredTable"),
                migrations.RenameField("StoredTable", "kept_at", "stored_at"),
                migrations.AlterField(
                    "StoredTable",
                    "stored_at",
                    portal.config.clock.StampField(auto_now_add=True, db_column="kept_at"),
                ),
            ]
        )
    ]
