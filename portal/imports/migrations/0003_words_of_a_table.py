from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("imports", "0001_squashed_0002_stored_table")]

    operations = [
        migrations.AddField(
            "storedtable",
            "words",
            models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict),
        )
    ]
