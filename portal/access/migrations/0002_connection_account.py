from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("access", "0001_initial")]

    operations = [
        migrations.AddField(
            "connection",
            "account_id",
            models.CharField(blank=True, editable=False, max_length=120),
        ),
        migrations.AddField(
            "connection",
            "account_owner",
            models.CharField(blank=True, editable=False, max_length=120),
        ),
        migrations.AddField(
            "connection",
            "account_plan",
            models.CharField(blank=True, editable=False, max_length=120),
        ),
        migrations.AddField(
            "connection",
            "people",
            models.PositiveIntegerField(editable=False, null=True),
        ),
    ]
