from django.db import migrations

from portal.mirror.migration_operations import fold_stored


class Migration(migrations.Migration):
    dependencies = [("planned_sessions", "0006_notified_at")]  # noqa: RUF012 - as Django has it

    operations = [fold_stored("planned_sessions.MirroredSession", "search")]  # noqa: RUF012 - as Django has it
