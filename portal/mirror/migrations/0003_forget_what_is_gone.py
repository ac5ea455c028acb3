from django.db import migrations


def forget(apps, schema_editor):
    """Deletes rows that are gone: removals are recorded apart from now on."""
    for name in ("MirroredUser", "MirroredGroup"):
        apps.get_model("mirror", name).objects.filter(is_gone=True).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('mirror', '0002_groups_and_fingerprints'),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
