from django.db import migrations

_NAMES = (
    ("KeptReport", "StoredReport"),
    ("KeptWindow", "StoredWindow"),
    ("KeptRow", "StoredRow"),
)


class Migration(migrations.Migration):
    """The tables keep their names, for the release that still runs."""

    dependencies = [("reports", "0006_report_recipients")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                operation
                for before, after in _NAMES
                for operation in (
                    migrations.AlterModelTable(before, f"reports_{before.lower()}"),
                    migrations.RenameModel(before, after),
                )
            ]
        )
    ]
