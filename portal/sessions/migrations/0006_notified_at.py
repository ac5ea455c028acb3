from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("planned_sessions", "0005_leases")]

    operations = [
        migrations.RenameField(
            model_name="sessiontoread", old_name="told_at", new_name="notified_at"
        )
    ]
