"""Fills the database of `DATABASE_URL` for `bench.scale`.

The people and sessions of one connection are made through the models of the mirror and copied to
the others within the database. Audit entries are chained and sealed as the portal does it, so that
`verify_audit` finds the trail whole. Run as a program it prints what `fill` returns, as JSON.
"""

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection as database, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from bench import calendar_of, lists_of  # noqa: E402
from bench.asking import cookie  # noqa: E402
from portal.access.models import Connection, User  # noqa: E402
from portal.access.roles import Role  # noqa: E402
from portal.audit import chain  # noqa: E402
from portal.audit.models import (  # noqa: E402
    FIRST_CHAIN,
    NUMBERS,
    AuditEntry,
    AuditHead,
    Outcome,
)
from portal.directory.models import Membership, MirroredUser  # noqa: E402
from portal.mirror.models import MirrorState  # noqa: E402
from portal.sessions.models import MirroredSession  # noqa: E402

_CONNECTIONS = 10
_SIGNED = ("users.update", "users.create", "meetings.update", "recordings.delete")


@dataclass(frozen=True)
class Filled:
    """The keys of the connections, and the cookie of the administrator who has them."""

    keys: list[str]
    cookie: str
    people: int
    sessions: int
    entries: int


def fill(people: int, sessions: int, entries: int) -> Filled:
    """So many of each in all."""
    owner = User.objects.create(email="scale@example.com", name="Scale", role=Role.ADMINISTRATOR)
    connections = [_connection(owner, number) for number in range(_CONNECTIONS)]
    for connection in connections:
        calendar_of.fill(connection, sessions // _CONNECTIONS // 3)
    first, *others = connections
    lists_of.fill(first, people // _CONNECTIONS)
    for connection in others:
        _copy_people(first, connection)
    _write_trail(owner, connections, entries)
    with database.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    client = Client()
    client.force_login(owner)
    return Filled(
        [connection.key for connection in connections],
        cookie(client),
        MirroredUser.objects.count(),
        MirroredSession.objects.count(),
        AuditEntry.objects.count(),
    )


def _connection(owner: User, number: int) -> Connection:
    made = Connection(owner=owner, name=f"Scale {number}", base_url="https://service.invalid/v2")
    made.set_token("bench")
    made.save()
    return made


def _copy_people(source: Connection, target: Connection) -> None:
    table = MirroredUser._meta.db_table
    names = [
        field.column
        for field in MirroredUser._meta.concrete_fields
        if not field.primary_key and field.name != "connection"
    ]
    listed = ", ".join(f'"{name}"' for name in names)
    with database.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} (connection_id, {listed}) "  # noqa: S608 - names of columns
            f"SELECT %s, {listed} FROM {table} WHERE connection_id = %s",
            [target.pk, source.pk],
        )
        # Without it, PostgreSQL joins what it takes for few rows in a loop, for minutes.
        cursor.execute(f"ANALYZE {table}, {Membership._meta.db_table}")
        cursor.execute(
            f"INSERT INTO {Membership._meta.db_table} (connection_id, kind, group_id, user_id) "  # noqa: S608
            f"SELECT %s, m.kind, m.group_id, theirs.id FROM {Membership._meta.db_table} m "
            f"JOIN {table} own ON own.id = m.user_id "
            f"JOIN {table} theirs ON theirs.user_id = own.user_id AND theirs.connection_id = %s "
            "WHERE m.connection_id = %s",
            [target.pk, target.pk, source.pk],
        )
    for state in MirrorState.objects.filter(connection=source, kind__in=("users", "groups")):
        MirrorState.objects.update_or_create(
            connection=target, kind=state.kind, defaults={"refreshed_at": state.refreshed_at}
        )


def _write_trail(owner: User, connections: list[Connection], entries: int) -> None:
    """Writes with their ends, over a year, at the end of the chain."""
    fields = AuditEntry._meta.concrete_fields
    columns = ", ".join(f'"{field.column}"' for field in fields)
    with transaction.atomic(), database.cursor() as cursor:
        chain.lock()
        head = AuditHead.objects.get(pk=FIRST_CHAIN)
        copy = f"COPY {AuditEntry._meta.db_table} ({columns}) FROM STDIN"
        with cursor.copy(copy) as rows:
            for entry in _entries(owner, connections, head.count, entries):
                entry.hash = chain.link(head.last_hash, entry)
                head.count, head.last_hash = entry.sequence, entry.hash
                rows.write_row(
                    [field.get_prep_value(getattr(entry, field.attname)) for field in fields]
                )
        head.seal = chain.seal(head)
        head.save()
        cursor.execute("SELECT setval(%s, %s)", [NUMBERS, max(head.count, 1)])


def _entries(
    owner: User, connections: list[Connection], after: int, entries: int
) -> Iterator[AuditEntry]:
    chance = random.Random(7)  # noqa: S311
    began, apart = timezone.now() - timedelta(days=365), timedelta(days=365) / max(entries, 1)
    for number in range(entries):
        is_end = bool(number % 2)
        if not is_end:
            connection, operation = chance.choice(connections), chance.choice(_SIGNED)
            name = f"{chance.choice(lists_of._FIRST)} {chance.choice(lists_of._SECOND).title()}"
            known: dict[str, Any] = {
                "connection_key": connection.key,
                "connection_name": connection.name,
                "operation": operation,
                "family": operation.partition(".")[0],
                "object_id": f"id{chance.randrange(50_000)}",
                "object_label": name,
                "request_id": f"{chance.getrandbits(64):016x}",
            }
        sent: Any = None if is_end else {"dept": f"Department {chance.randrange(40):02}"}
        yield AuditEntry(
            sequence=after + number + 1,
            time=began + apart * number,
            actor_id=owner.pk,
            email=owner.email,
            ip="192.0.2.7",
            sent=sent,
            outcome=Outcome.DONE if is_end else Outcome.BEGUN,
            status=204 if is_end else None,
            intent_id=after + number if is_end else None,
            **known,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("people", "sessions", "entries"):
        parser.add_argument(name, type=int)
    call_command("migrate", interactive=False, verbosity=0)
    print(json.dumps(asdict(fill(**vars(parser.parse_args())))))  # noqa: T201
