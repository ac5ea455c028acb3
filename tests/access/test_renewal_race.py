"""Four processes call over one connection, and one of them renews; one that is killed in the
middle of that holds the others up, and no longer."""

import tempfile
from pathlib import Path

import pytest

from tests.support.deployment import Whole
from tests.support.sandbox import Sandbox, SandboxFactory, run_within
from tests.support.services import Services

pytestmark = pytest.mark.deep
_SETUP = "import sys, time, os, signal, pathlib, django\ndjango.setup()\n"
_USES = """
from portal.access import renewal
from portal.access.api import api_for
from portal.access.grants import scope_of
from portal.access.models import Connection, ServiceToken
connection = Connection.objects.get(key=sys.argv[1])
"""
_RENEWING = f"""{_USES}
from portal.access.http import Origin
from portal.access.services import connections
from portal.client import ClientCredentials, Secret
connection.way = "renewing"
client = ClientCredentials(sys.argv[2] + "/oauth/token", "id", Secret(sys.argv[3]), "A1")
connections.save(Origin(connection.owner), connection, sys.argv[3], client=client)
"""
# Dies when the service has issued a token, and before it is stored.
_KILLED = f"""{_SETUP}{_USES}
renewal.seal = lambda _token: os.kill(os.getpid(), signal.SIGKILL)
api_for(scope_of(connection.owner, connection)).users.list()
"""
_CALLS = f"""{_SETUP}{_USES}
api, done = api_for(scope_of(connection.owner, connection)), 0
while not pathlib.Path(sys.argv[2]).exists():
    api.users.list()
    done += 1
    time.sleep(0.05)
print(done)
"""
_LATE = f"""{_USES}
from datetime import timedelta
from django.utils import timezone
ServiceToken.objects.update(received_at=timezone.now() - timedelta(seconds=3400))
"""
_ISSUED = "from portal.sandbox.models import IssuedToken; print(IssuedToken.objects.count())"


def issued(sandbox: Sandbox) -> int:
    return int(run_within(sandbox, _ISSUED))


def test_four_processes_share_each_renewal(
    sandbox_factory: SandboxFactory, services: Services, tmp_path: Path
):
    sandbox = sandbox_factory("--profile=current", "--one-token", "--frozen")
    whole = Whole(tmp_path, sandbox, services)
    try:
        whole.script(_RENEWING, whole.connection, sandbox.site, sandbox.token)
        server = whole._fork_server()
        killed = server.run("-c", _KILLED, whole.connection, environment=whole.environment)
        assert killed.returncode != 0
        assert issued(sandbox) == 1

        stop = tmp_path / "stop"
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            running = [
                server.start(
                    *("-c", _CALLS, whole.connection, str(stop)),
                    environment=whole.environment,
                    stdout=out,
                    stderr=err,
                )
                for _number in range(4)
            ]
            whole.until(lambda: issued(sandbox) == 2)  # once the lease of the dead one ends
            whole.script(_LATE, whole.connection)
            whole.until(lambda: issued(sandbox) == 3)
            stop.touch()
            ends = [each.wait(60) for each in running]
            out.seek(0)
            err.seek(0)
            assert ends == [0] * 4, err.read()
            assert all(int(line) > 0 for line in out.read().split())
        assert issued(sandbox) == 3
    finally:
        whole.close()
