from django.db import migrations

from portal.mirror.migration_operations import by_trigrams


class Migration(migrations.Migration):
    dependencies = [("mirror", "0006_sessions")]
    operations = [by_trigrams("people_by_trigrams", "mirror_mirroreduser")]
