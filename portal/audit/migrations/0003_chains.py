from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def make_numbers(_apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE SEQUENCE IF NOT EXISTS access_auditentry_number"
            " OWNED BY access_auditentry.sequence"
        )


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0002_elevated_to"),
    ]

    operations = [
        migrations.AddField(
            model_name="auditentry",
            name="chain",
            field=models.PositiveSmallIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="auditentry",
            name="seen",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.AddField(
            model_name="audithead",
            name="seen",
            field=models.CharField(max_length=200, null=True),
        ),
        migrations.RunPython(make_numbers, migrations.RunPython.noop),
    ]
