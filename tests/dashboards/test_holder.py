"""Whoever asks the service for everybody may be killed: the next takes over within one interval."""

import os
import signal
import subprocess
import sys
import time

import pytest

from portal.dashboards.services.live.pace import EVERY
from tests.dashboards.services import asked, listing, session
from tests.support.deployment import Whole
from tests.support.fault_server import FaultServer, silence
from tests.support.programs import ROOT

READ = """
from portal.access.models import Connection
from portal.dashboards.services.live.reader import read_if_due
print(read_if_due(Connection.objects.get().pk))
"""
READ_UNTIL_IT_MAY = """
import time
from portal.access.models import Connection
from portal.dashboards.services.live.reader import read_if_due
pk, begin = Connection.objects.get().pk, time.monotonic()
while not read_if_due(pk):
    assert time.monotonic() - begin < 60
    time.sleep(0.1)
print(time.monotonic() - begin)
"""
KEPT = "SELECT content FROM dashboards_livesnapshot"


class Account:
    """The address and token of a service, as a connection needs them."""

    def __init__(self, server: FaultServer) -> None:
        self.url, self.token = server.url, "token-of-the-fault-server"
        self.profile = "plain"


@pytest.fixture
def whole(tmp_path, fault_server, services):
    made = Whole(tmp_path, Account(fault_server), services)
    made.environment["API_TIMEOUT"] = "60"
    yield made
    made.close()


def test_a_killed_reader_is_replaced_within_one_interval(whole, fault_server):
    fault_server.then(silence()).always(listing([session(1)]))
    text = f"import sys, django; django.setup()\n{READ}"
    reader = subprocess.Popen([sys.executable, "-c", text], cwd=ROOT, env=whole.environment)
    deadline = time.monotonic() + 300
    while not fault_server.requests:
        assert time.monotonic() < deadline, "the first reader never asked"
        time.sleep(0.05)
    assert whole.script(READ).strip() == "False"
    os.kill(reader.pid, signal.SIGKILL)
    reader.wait(30)
    assert float(whole.script(READ_UNTIL_IT_MAY)) < EVERY.total_seconds()
    assert asked(fault_server, "meetings") == 2
    [(content,)] = whole.query(KEPT)
    assert "Session 1" in content
