from hashlib import blake2s

from django.db import migrations, models

_BATCH = 500


def name_people(apps, _editor):
    """Stays of people whom the list did not contain when they were read: by the key of a person."""
    stays = apps.get_model("dashboards", "MeasuredStay")
    people = apps.get_model("directory", "MirroredUser")
    unnamed = stays.objects.filter(user_id="")
    connections = unnamed.values_list("session__connection", flat=True).distinct().order_by()
    for connection in list(connections):
        own = unnamed.filter(session__connection=connection)
        ids = {}
        for user_id in people.objects.filter(connection=connection).values_list("user_id", flat=True):
            ids[blake2s(f"user {user_id}".encode(errors="replace"), digest_size=12).hexdigest()] = user_id
        for person in set(own.values_list("person", flat=True)) & set(ids):
            own.filter(person=person).update(user_id=ids[person])


class Migration(migrations.Migration):
    dependencies = [
        ("dashboards", "0007_alert_facts"),
        ("directory", "0001_initial"),
    ]

    operations = [
        # What a process of the earlier version writes meanwhile has the column, and is no error.
        migrations.AlterField(
            model_name="measuredstay",
            name="department",
            field=models.CharField(max_length=250, db_default=""),
        ),
        migrations.RunPython(name_people, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="measuredstay", name="department"),
            ],
        ),
    ]
