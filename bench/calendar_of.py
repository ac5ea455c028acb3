"""Measures the calendar on the database of `DATABASE_URL`; `bench.lists` runs it.

Prints one line of JSON: the figures of each question, and how to ask for the page from outside.
"""

import json
import random
import sys
from datetime import UTC, datetime, timedelta

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
from portal.contract.meetings import MeetingDetails  # noqa: E402
from portal.mirror.models import MirrorState  # noqa: E402
from portal.sessions.mirror import replace_sessions  # noqa: E402

_MONTH = datetime(2026, 5, 1, tzinfo=UTC)
_MINUTES = 31 * 24 * 60
_DAY = "2026-05-13"
_HAS = b"nav-segmented"
_HOSTS = 400


def main(count: int, times: int) -> None:
    """`count` sessions in the month that is asked for, and as many in each of the two beside it."""
    call_command("migrate", interactive=False, verbosity=0)
    owner = User.objects.create(email="bench@example.com", name="Bench", role=Role.ADMINISTRATOR)
    connection = Connection(owner=owner, name="Bench", base_url="https://service.invalid/v2")
    connection.set_token("bench")
    connection.save()
    fill(connection, count)
    client = Client()
    client.force_login(owner)
    url = reverse("sessions:calendar", args=[connection.key])
    data = measure(client, url, questions(), times)
    pages = {"The calendar": f"{url}?day={_DAY}"}
    print(json.dumps({"questions": data, "pages": pages, "cookie": cookie(client)}))  # noqa: T201


def questions() -> list[Question]:
    return [
        Question("month, whole page", {"day": _DAY}, whole=True, has=_HAS),
        *(
            Question(title, {"day": _DAY, **query}, target="dates", has=_HAS)
            for title, query in (
                ("month", {}),
                ("month, a word", {"q": "review"}),
                ("week", {"view": "week"}),
                ("list of a day", {"view": "list", "days": 1}),
                ("list of two weeks", {"view": "list"}),
            )
        ),
    ]


def fill(connection: Connection, count: int) -> None:
    """Writes so many sessions a month straight into the mirror."""
    chance = random.Random(7)  # noqa: S311
    begin = _MONTH - timedelta(minutes=_MINUTES)
    details: dict[str, list[tuple[str, MeetingDetails]]] = {}
    for number in range(count * 3):
        start = begin + timedelta(minutes=chance.randrange(_MINUTES * 3))
        host = f"host-{chance.randrange(_HOSTS)}"
        meeting = MeetingDetails(
            id=str(10**9 + number),
            topic=chance.choice(("Design review", "Stand-up", "Planning", "1:1")),
            host_id=host,
            type=2,
            start_time=start,
            duration=30,
        )
        details.setdefault(host, []).append(("meetings", meeting))
    for host, own in details.items():
        replace_sessions(connection, {host: own}, timezone.now())
    MirrorState.objects.filter(connection=connection).update(
        refreshed_at=timezone.now() + timedelta(hours=9)
    )
    with database.cursor() as cursor:
        # As PostgreSQL does by itself soon after a refresh.
        cursor.execute("VACUUM ANALYZE" if database.vendor == "postgresql" else "ANALYZE")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
