from django.conf import settings
from django.db import migrations, models
from django.db.models import CASCADE, ForeignKey, OuterRef, Subquery


def give_to_the_owner(apps, _schema):
    """Until now the owner of a connection alone came to its lists."""
    connections = apps.get_model("access", "Connection").objects
    owner = Subquery(connections.filter(pk=OuterRef("connection")).values("owner")[:1])
    for name in ("SavedView", "KeptTable"):
        apps.get_model("ui", name).objects.update(user=owner)


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("access", "0004_share"),
        ("ui", "0003_kept_table"),
    ]

    operations = [
        *(
            migrations.AddField(
                model_name=name,
                name="user",
                field=ForeignKey(
                    null=True,
                    on_delete=CASCADE,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                    db_constraint=False,  # whose triggers would keep the table from being altered
                ),
            )
            for name in ("savedview", "kepttable")
        ),
        migrations.RunPython(give_to_the_owner, migrations.RunPython.noop),
        *(
            migrations.AlterField(
                model_name=name,
                name="user",
                field=ForeignKey(
                    on_delete=CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                ),
            )
            for name in ("savedview", "kepttable")
        ),
        migrations.RemoveConstraint(model_name="savedview", name="ui_view_name_unique"),
        migrations.AddConstraint(
            model_name="savedview",
            constraint=models.UniqueConstraint(
                fields=("connection", "user", "list_name", "name"), name="ui_view_name_unique"
            ),
        ),
    ]
