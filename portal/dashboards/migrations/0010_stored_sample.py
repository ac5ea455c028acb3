from django.db import migrations


class Migration(migrations.Migration):
    """The table keeps its name, for the release that still runs."""

    dependencies = [("dashboards", "0009_alert_recipients")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterModelTable("KeptSample", "dashboards_keptsample"),
                migrations.RenameModel("KeptSample", "StoredSample"),
            ]
        )
    ]
