"""Base URLs in the one spelling in which they are saved and compared from now on."""

from typing import Any

from django.db import migrations

from portal.client.base_url import normalized


def normalize(apps: Any, _schema_editor: Any) -> None:
    connections = apps.get_model("access", "Connection").objects
    for pk, base_url in connections.values_list("pk", "base_url"):
        if normalized(base_url) != base_url:
            connections.filter(pk=pk).update(base_url=normalized(base_url))


class Migration(migrations.Migration):
    dependencies = [("access", "0010_language_and_time_zone")]
    operations = [migrations.RunPython(normalize, migrations.RunPython.noop)]
