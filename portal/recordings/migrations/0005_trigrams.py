from django.db import migrations

from portal.mirror.migration_operations import by_trigrams


class Migration(migrations.Migration):
    dependencies = [("recordings", "0004_fast_list")]
    operations = [by_trigrams("recordings_by_trigrams", "recordings_mirroredrecording")]
