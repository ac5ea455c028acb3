from django.db import migrations

from portal.mirror.migration_operations import fold_stored


class Migration(migrations.Migration):
    dependencies = [("reports", "0003_open_rows")]  # noqa: RUF012 - as Django has it

    operations = [fold_stored("reports.KeptRow", "search")]  # noqa: RUF012 - as Django has it
