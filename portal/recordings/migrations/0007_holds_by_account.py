"""Holds belong to the account that the service reports, not to a spelling of its address."""

import unicodedata
from typing import Any

from django.db import migrations, models

from portal.client.base_url import normalized


def take_over(apps: Any, _schema_editor: Any) -> None:
    holds = apps.get_model("recordings", "Hold").objects
    recordings = apps.get_model("recordings", "MirroredRecording").objects
    for hold in holds.select_related("connection"):
        emails = recordings.filter(uuid=hold.uuid).values_list("host_email", flat=True)
        holds.filter(pk=hold.pk).update(
            service=normalized(hold.service),
            account_id=hold.connection.account_id if hold.connection else "",
            host_email=unicodedata.normalize("NFKC", emails.first() or "").casefold(),
        )


class Migration(migrations.Migration):
    dependencies = [
        ("access", "0011_base_urls_in_one_spelling"),
        ("recordings", "0006_storage_reading"),
    ]
    operations = [
        migrations.RemoveIndex("hold", "holds_by_host"),
        migrations.RemoveIndex("hold", "holds_by_session"),
        migrations.AddField("hold", "account_id", models.TextField(db_default="", default="")),
        migrations.AddField("hold", "host_email", models.TextField(db_default="", default="")),
        migrations.AddIndex("hold", models.Index(fields=["host_id"], name="holds_by_host_id")),
        migrations.AddIndex(
            "hold", models.Index(fields=["session_id"], name="holds_by_session_id")
        ),
        migrations.RunPython(take_over, migrations.RunPython.noop),
    ]
