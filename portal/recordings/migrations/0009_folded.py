from django.db import migrations

from portal.mirror.migration_operations import fold_stored


class Migration(migrations.Migration):
    dependencies = [("recordings", "0008_set_by")]  # noqa: RUF012 - as Django has it

    operations = [fold_stored("recordings.MirroredRecording", "search")]  # noqa: RUF012 - as Django has it
