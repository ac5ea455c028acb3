"""Measures the list of recordings on the database of `DATABASE_URL`; `bench.lists` runs it.

Prints one line of JSON: the figures of each question, and how to ask for the page from outside.
"""

import json
import random
import sys
from datetime import timedelta

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection as database  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from bench.asking import Question, cookie, measure  # noqa: E402
from portal.access.models import Connection, User  # noqa: E402
from portal.access.roles import Role  # noqa: E402
from portal.mirror.models import MirrorState  # noqa: E402
from portal.mirror.rows import state_of  # noqa: E402
from portal.recordings.models import Hold, MirroredRecording, StoredSharing  # noqa: E402
from portal.recordings.rows import sum_up  # noqa: E402

_DEPARTMENTS = ("", "Legal", "Sales", "Engineering", "Finance", "Operations")
_TOPICS = ("Design review", "Stand-up", "Planning", "1:1", "Retrospective")
_HOSTS = 5_000
_BATCH = 2_000


def main(count: int, times: int) -> None:
    call_command("migrate", interactive=False, verbosity=0)
    owner = User.objects.create(email="bench@example.com", name="Bench", role=Role.ADMINISTRATOR)
    connection = Connection(owner=owner, name="Bench", base_url="https://service.invalid/v2")
    connection.set_token("bench")
    connection.save()
    fill(connection, count)
    client = Client()
    client.force_login(owner)
    url = reverse("recordings:list", args=[connection.key])
    data = measure(client, url, questions(count), times)
    print(  # noqa: T201
        json.dumps({"questions": data, "pages": {"The list": url}, "cookie": cookie(client)})
    )


def questions(count: int) -> list[Question]:
    middle = count // 50 // 2
    return [
        Question("first page, whole page", {}, whole=True),
        *(
            Question(title, query)
            for title, query in (
                ("first page", {}),
                ("page in the middle", {"page": middle}),
                ("largest first", {"sort": "-size"}),
                ("oldest first", {"sort": "start_time"}),
                ("two words", {"q": "design host-77"}),
                ("a word of all", {"q": "example"}),
                ("a recording", {"q": str(10**9 + 77)}),
                ("of two words, the largest", {"q": "design host-77", "sort": "-size"}),
                ("a department", {"dept": "Legal"}),
                ("over 90 days and 1 GB", {"age": "over-90", "size": "over-1000"}),
                ("exposed", {"status": "exposed"}),
                ("on hold", {"status": "held"}),
            )
        ),
    ]


def fill(connection: Connection, count: int) -> None:
    """Writes so many recordings straight into the mirror, with what is known of their sharing."""
    chance, now = random.Random(7), timezone.now()  # noqa: S311
    for start in range(0, count, _BATCH):
        rows = [_row(connection, number, chance) for number in range(start, start + _BATCH)]
        made = MirroredRecording.objects.bulk_create(rows[: count - start])
        StoredSharing.objects.bulk_create(
            StoredSharing(
                recording=row,
                sharing=chance.choice(("publicly", "internally")),
                viewer_download=chance.random() < 0.2,
                has_password=chance.random() < 0.9,
                read_at=now,
            )
            for row in made
        )
    held = MirroredRecording.objects.filter(connection=connection, pk__in=range(1, count, 500))
    Hold.objects.bulk_create(
        Hold(uuid=row.uuid, service=connection.base_url, held_by=connection.owner, reason="Case 7")
        for row in held
    )
    for kind in ("recordings", "users", "groups"):
        state = MirrorState.objects.filter(pk=state_of(connection, kind).pk)
        state.update(refreshed_at=now + timedelta(hours=9))
    with database.cursor() as cursor:
        # As PostgreSQL does by itself soon after a refresh.
        cursor.execute("VACUUM ANALYZE" if database.vendor == "postgresql" else "ANALYZE")


def _row(connection: Connection, number: int, chance: random.Random) -> MirroredRecording:
    host, topic = f"host-{chance.randrange(_HOSTS)}", chance.choice(_TOPICS)
    kept = {"id": "f", "type": "MP4", "kind": "screen", "start": "", "end": "", "deleted": ""}
    kept["deleted"] = "2026-11-01T10:00:00Z" if chance.random() < 0.05 else ""
    row = MirroredRecording(
        connection=connection,
        uuid=f"uuid-{number}==",
        session_id=str(10**9 + number),
        host_id=host,
        host_name=host,
        host_email=f"{host}@example.com",
        dept=chance.choice(_DEPARTMENTS),
        topic=topic,
        start_time=timezone.now() - timedelta(minutes=chance.randrange(730 * 24 * 60)),
        duration=30,
        files=[{**kept, "size": chance.randrange(2 * 10**9)}],
        sort_topic=topic.casefold(),
        search=f"{topic} {host} {host}@example.com {10**9 + number}".casefold(),
    )
    sum_up(row)
    row.stamp()
    return row


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
