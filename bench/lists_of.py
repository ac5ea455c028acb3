"""Measures the list of people on the database of `DATABASE_URL`; `bench.lists` runs it.

Prints one line of JSON: the figures of each question, and how to ask for the page from outside.
"""

import json
import os
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

from bench import page_rows  # noqa: E402
from bench.asking import Question, cookie, measure  # noqa: E402
from bench.served import ADMIN  # noqa: E402
from portal.access.models import Connection, User  # noqa: E402
from portal.access.roles import Role  # noqa: E402
from portal.contract.groups import Group  # noqa: E402
from portal.contract.users import (  # noqa: E402
    LicenceType,
    User as Person,
    UserStatus,
)
from portal.directory import groups, users  # noqa: E402
from portal.directory.models import GroupKind, Membership, MirroredGroup, MirroredUser  # noqa: E402
from portal.mirror.models import MirrorState  # noqa: E402

_FIRST = [
    "Ada",
    "Alan",
    "Anna",
    "Ben",
    "Clara",
    "David",
    "Edith",
    "Emil",
    "Emmy",
    "Fatima",
    "Grace",
    "Hana",
    "Ines",
    "Ivan",
    "Jan",
    "Kurt",
]
_SECOND = [
    "adams",
    "baker",
    "cohen",
    "dietz",
    "evans",
    "fischer",
    "garcia",
    "huang",
    "ito",
    "jones",
    "keller",
    "lopez",
    "meyer",
]
_GROUPS = 60
_DEPARTMENTS = 40
_RARE = "zyzzyva"


def main(people: int, times: int) -> None:
    call_command("migrate", interactive=False, verbosity=0)
    owner = User.objects.create(email="bench@example.com", name="Bench", role=Role.ADMINISTRATOR)
    service = os.environ["BENCH_SERVICE"]
    connection = Connection(owner=owner, name="Bench", base_url=service)
    connection.set_token("bench")
    connection.save()
    fill(connection, people)
    client = Client()
    client.force_login(owner)
    url = reverse("people:list", args=[connection.key])
    data = measure(client, url, questions(people), times)
    pages = {"People": url, ADMIN: "/admin/directory/mirroreduser/", **page_rows.fill(connection)}
    print(json.dumps({"questions": data, "pages": pages, "cookie": cookie(client)}))  # noqa: T201


def questions(people: int) -> list[Question]:
    last = people // 50
    asked = [
        Question("first page, whole", {}, whole=True),
        Question("first page", {}),
        Question("search: a rare word", {"q": _RARE}),
        Question("search: a common word", {"q": "ada"}),
        Question("search: a word of everybody", {"q": "example"}),
        Question("search: two words", {"q": "grace keller"}),
        Question("search: nothing found", {"q": "qqqq"}),
        Question("search, next to last page", {"q": "example", "page": last - 1}),
        Question("status", {"status": "inactive"}),
        Question("licence", {"type": LicenceType.PRO.value}),
        Question("department", {"dept": "Department 07"}),
        Question("last sign-in", {"last_sign_in": "30"}),
        Question("group", {"group": "group-7"}),
        Question("group and word", {"group": "group-7", "q": "ada"}),
        Question(
            "all of them", {"q": "ada", "status": "active", "type": 1, "dept": "Department 07"}
        ),
        Question("deep page", {"page": last // 2}),
        Question("last page", {"page": last}),
        Question("deep page of active people", {"page": last // 2, "status": "active"}),
    ]
    for key in sorted(users.SORTS):
        asked.append(Question(f"sort: {key}", {"sort": key}))
        asked.append(Question(f"sort: -{key}", {"sort": f"-{key}"}))
        asked.append(Question(f"sort: {key}, deep page", {"sort": key, "page": last // 2}))
    return asked


def fill(connection: Connection, people: int) -> None:
    """Writes so many people, their groups and who is in them straight into the mirror."""
    chance = random.Random(7)  # noqa: S311
    MirroredGroup.objects.bulk_create(
        groups._row(connection, GroupKind.GROUP, Group(id=f"group-{at}", name=f"Group {at}"))
        for at in range(_GROUPS)
    )
    for start in range(0, people, 5000):
        made = MirroredUser.objects.bulk_create(
            [
                users._row(connection, person(chance, at), status(chance))
                for at in range(start, min(start + 5000, people))
            ]
        )
        Membership.objects.bulk_create(
            Membership(connection=connection, kind="group", group_id=group, user=row)
            for row in made
            for group in row.group_ids
        )
    MirrorState.objects.create(
        connection=connection,
        kind=users.USERS.name,
        refreshed_at=timezone.now() + timedelta(hours=9),
    )
    MirrorState.objects.create(
        connection=connection,
        kind=groups.GROUPS.name,
        refreshed_at=timezone.now() + timedelta(hours=9),
    )
    with database.cursor() as cursor:
        # As PostgreSQL does by itself soon after a refresh.
        cursor.execute("VACUUM ANALYZE" if database.vendor == "postgresql" else "ANALYZE")


def person(chance: random.Random, at: int) -> Person:
    first, last = chance.choice(_FIRST), chance.choice(_SECOND)
    if at in {31415, 3}:
        last = _RARE.capitalize()
    return Person(
        id=f"id{chance.getrandbits(96):024x}",
        email=f"{first}.{last}.{at}@example.com".lower(),
        first_name=first,
        last_name=last,
        type=chance.choice(list(LicenceType)),
        dept=f"Department {chance.randrange(_DEPARTMENTS):02}",
        pmi=str(chance.randrange(10**9, 10**10)),
        timezone="Europe/Berlin",
        created_at=datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=at),
        last_login_time=datetime(2026, 1, 1, tzinfo=UTC)
        + timedelta(seconds=chance.randrange(10**7)),
        group_ids=[f"group-{chance.randrange(_GROUPS)}"],
    )


def status(chance: random.Random) -> UserStatus:
    return chance.choices(list(UserStatus), [90, 7, 3])[0]


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
