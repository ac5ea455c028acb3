"""The processes of `bench.trail`, on the database of `DATABASE_URL`."""

import sys
import time

import django

django.setup()

from django.core.management import call_command  # noqa: E402

from bench.command import say  # noqa: E402
from portal.access.http import Origin  # noqa: E402
from portal.access.models import Connection, User  # noqa: E402
from portal.access.roles import Role  # noqa: E402
from portal.audit import chain  # noqa: E402
from portal.audit.acts import Act  # noqa: E402
from portal.audit.models import AuditHead  # noqa: E402
from portal.audit.trail import record  # noqa: E402

_CONNECTIONS = 8


def make() -> None:
    """Makes the tables, a trail of one chain, and connections of one owner."""
    call_command("migrate", verbosity=0)
    AuditHead.objects.all().delete()
    chain.seal_beginning()
    owner = User.objects.create_user(email="bench@example.com", role=Role.ADMINISTRATOR)
    for number in range(_CONNECTIONS):
        url = f"https://{number}.example/v2"
        made = Connection(owner=owner, name=f"Account {number}", base_url=url)
        made.set_token("bench")
        made.save()


def append(number: int, seconds: float) -> None:
    """Writes entries of one of the connections for so long, once it is told to."""
    connection = Connection.objects.select_related("owner").order_by("pk")[number]
    origin, appended = Origin(connection.owner), 0
    say("ready")
    sys.stdin.readline()
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        record(
            origin,
            Act.LIST_EXPORTED,
            object_id=f"users-{appended}",
            label="People",
            connection=connection,
            sent={"rows": appended},
        )
        appended += 1
    say(str(appended))


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    if what == "append":
        append(int(words[0]), float(words[1]))
    elif what == "verify":
        call_command("verify_audit")
    else:
        {"make": make, "open": chain.open_chains}[what]()
