"""Remembers events that were taken before deliveries were stored, so that none is taken again."""

from django.db import migrations


def keep(apps, _editor):
    heard = apps.get_model("mirror", "Heard").objects.select_related("subscription")
    delivery = apps.get_model("mirror", "Delivery")
    batch = []
    for one in heard.order_by("pk").iterator():
        batch.append(
            delivery(
                connection_id=one.subscription.connection_id,
                event_id=one.event_id,
                came_at=one.at,
                last_came_at=one.at,
                changed_at=one.at,
                payload="{}",
                did="Not known: it was taken before payloads were kept.",
                search=one.event_id.casefold(),
            )
        )
    delivery.objects.bulk_create(batch, batch_size=500)


class Migration(migrations.Migration):

    dependencies = [
        ("mirror", "0010_deliveries"),
    ]

    operations = [
        migrations.RunPython(keep, migrations.RunPython.noop),
        migrations.DeleteModel(name="Heard"),
    ]
