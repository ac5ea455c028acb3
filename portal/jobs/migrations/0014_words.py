from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0013_titles_by_language")]

    operations = [
        migrations.AddField(
            name,
            "words",
            models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict),
        )
        for name in ("job", "jobitem")
    ]
