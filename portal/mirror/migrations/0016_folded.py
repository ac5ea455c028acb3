from django.db import migrations

from portal.mirror.migration_operations import fold_stored


class Migration(migrations.Migration):
    dependencies = [("mirror", "0015_signed_notifications")]  # noqa: RUF012 - as Django has it

    operations = [fold_stored("mirror.Delivery", "search")]  # noqa: RUF012 - as Django has it
