"""Four processes call over one connection, and one of them renews; one that is killed in the
middle of that holds the others up, and no longer."""

import tempfile
import time

import pytest

from tests.support.deployment import Whole
from tests.support.fault_server import answer, depending, raw
from tests.support.sandbox import run_within

pytestmark = pytest.mark.deep
_SETUP = "import sys, time, os, signal, pathlib, django\ndjango.setup()\n"
_USES = """
from portal.connections import renewal
from portal.connections.api import api_for
from portal.access.grants import scope_of
from portal.access.models import Connection, ServiceToken
connection = Connection.objects.get(key=sys.argv[1])
"""
_RENEWING = f"""{_USES}
from portal.access.http import Origin
from portal.connections.services import connections
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
# Calls for some seconds, whatever comes of it, and prints the length of the longest call.
_LIED_TO = f"""{_SETUP}{_USES}
api, longest = api_for(scope_of(connection.owner, connection)), 0
until = time.monotonic() + float(sys.argv[2])
while time.monotonic() < until:
    began = time.monotonic()
    try:
        api.users.list()
    except Exception as error:
        assert sys.argv[3] not in repr(error)
    longest = max(longest, time.monotonic() - began)
    time.sleep(0.05)
print(longest)
"""
_LATE = f"""{_USES}
from datetime import timedelta
from django.utils import timezone
ServiceToken.objects.update(received_at=timezone.now() - timedelta(seconds=3400))
"""
_ISSUED = "from portal.sandbox.models import IssuedToken; print(IssuedToken.objects.count())"


def issued(sandbox):
    return int(run_within(sandbox, _ISSUED))


def test_four_processes_share_each_renewal(sandbox_factory, services, tmp_path):
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


def lie_of(kind, number):
    token = {"access_token": f"token-number-{number}-of-a-liar", "expires_in": 3600}
    if kind == "over":
        return answer(200, token | {"expires_in": 0})
    if kind == "page":
        return raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p/>")
    if kind == "slow":
        time.sleep(2)
    return answer(200, token)


@pytest.mark.parametrize("kind", ["over", "page", "another", "slow"])
def test_four_processes_ask_a_liar_seldom(kind, sandbox_factory, services, tmp_path, fault_server):
    sandbox = sandbox_factory("--profile=current", "--one-token", "--frozen")
    whole = Whole(tmp_path, sandbox, services)
    asked = []

    def behave(seen):
        asked.append(seen)
        return lie_of(kind, len(asked))

    fault_server.always(depending(behave))
    try:
        whole.script(_RENEWING, whole.connection, fault_server.url, sandbox.token)
        server = whole._fork_server()
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            running = [
                server.start(
                    *("-c", _LIED_TO, whole.connection, "8", sandbox.token),
                    environment=whole.environment,
                    stdout=out,
                    stderr=err,
                )
                for _number in range(4)
            ]
            ends = [each.wait(60) for each in running]
            out.seek(0)
            err.seek(0)
            assert ends == [0] * 4, err.read()
            longest = [float(line) for line in out.read().split()]
        assert 1 <= len(asked) <= 4, (kind, len(asked), longest)
        assert max(longest) < 12
    finally:
        whole.close()
