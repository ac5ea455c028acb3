from django.db import migrations

from portal.mirror.migration_operations import fold_stored


class Migration(migrations.Migration):
    dependencies = [("directory", "0001_initial")]  # noqa: RUF012 - as Django has it

    operations = [fold_stored("directory.MirroredUser", "search"), fold_stored("directory.MirroredGroup", "sort_name")]  # noqa: RUF012 - as Django has it
