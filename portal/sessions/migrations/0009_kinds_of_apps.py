from django.db import migrations, models


class Migration(migrations.Migration):
    """Kinds are what apps register: the columns stay as they are."""

    dependencies = [("planned_sessions", "0001_squashed_0008_auto_recording")]  # noqa: RUF012 - as Django has it

    operations = [  # noqa: RUF012 - as Django has it
        migrations.AlterField("mirroredsession", "kind", models.CharField(max_length=10)),
        migrations.AlterField("recordedsession", "kind", models.CharField(max_length=10)),
    ]
