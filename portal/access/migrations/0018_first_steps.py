from django.db import migrations, models


def leave_out(apps, _schema_editor):
    """Accounts that are connected already are past their first steps."""
    apps.get_model("access", "Connection").objects.update(hides_steps=True)


class Migration(migrations.Migration):

    dependencies = [
        ('access', '0017_clock_of_database'),
    ]

    operations = [
        migrations.AddField(
            model_name='connection',
            name='hides_steps',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunPython(leave_out, migrations.RunPython.noop),
    ]
