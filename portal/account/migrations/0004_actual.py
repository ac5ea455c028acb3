from django.db import migrations, models


class Migration(migrations.Migration):
    """The column keeps its name, for the release that still runs."""

    dependencies = [("conferencing_account", "0003_results")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("Drift", "found", "actual"),
                migrations.AlterField(
                    "Drift", "actual", models.JSONField(db_column="found", null=True)
                ),
            ]
        )
    ]
