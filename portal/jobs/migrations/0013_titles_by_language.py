from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0012_no_dismissals")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("job", "title", "stored_title"),
                migrations.AlterField(
                    "job", "stored_title", models.CharField(db_column="title", max_length=200)
                ),
            ]
        ),
        migrations.AddField(
            "job",
            "titles",
            models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict),
        ),
    ]
