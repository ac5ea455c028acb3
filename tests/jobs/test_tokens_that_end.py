"""Jobs of four workers over many tokens, where each new token ends the one before: one process
renews for all, and its death in the middle only delays the others."""

import time
from itertools import pairwise

import psutil
import pytest

from tests.support import plain_http
from tests.support.deployment import Whole
from tests.support.fault_server import Exchange
from tests.support.job_runs import addresses, on_the_account
from tests.support.processes import COUNTS, approved, done, state_of
from tests.support.sandbox import Sandbox, run_within

pytestmark = pytest.mark.deep
LIFETIME = 6  # seconds; a token is renewed in the last quarter of it
ROWS = 100
WORKERS = ("worker-1", "worker-2", "worker-3", "worker-4")
_RENEWING = """
from portal.access.models import Connection
from portal.access.http import Origin
from portal.connections.services import connections
from portal.client import ClientCredentials, Secret
connection = Connection.objects.get(key=sys.argv[1])
connection.way = "renewing"
client = ClientCredentials(sys.argv[2], "id", Secret(sys.argv[3]), "A1")
connections.save(Origin(connection.owner), connection, sys.argv[3], client=client)
"""
_COUNTED = "from portal.sandbox.models import IssuedToken; print(IssuedToken.objects.count())"


class TokenURL:
    """Hands requests for tokens on to the sandbox. When it is armed, the process whose request it
    is dies once the sandbox has issued a token, and before it hears of it."""

    def __init__(self, sandbox: Sandbox, whole: Whole) -> None:
        self.issued: list[float] = []  # when
        self.killed = ""
        self.is_armed = False
        self._sandbox, self._whole = sandbox, whole

    def __call__(self, exchange: Exchange) -> None:
        seen = exchange.read()
        names = ("authorization", "content-type")
        answer = plain_http.post(
            f"{self._sandbox.site}/oauth/token",
            content=seen.body,
            headers={name: seen.headers[name] for name in names},
        )
        self.issued.append(time.monotonic())
        if self.is_armed:
            self.is_armed = False
            self.killed = self._sender(exchange.connection.getpeername()[1])
            self._whole.kill(self.killed)
        else:
            length = f"Content-Length: {len(answer.content)}"
            head = f"HTTP/1.1 {answer.status_code} OK\r\nContent-Type: application/json\r\n{length}"
            exchange.send(f"{head}\r\n\r\n".encode() + answer.content)

    def _sender(self, port: int) -> str:
        for name in WORKERS:
            opened = psutil.Process(self._whole.pid(name)).net_connections()
            if any(each.laddr and each.laddr.port == port for each in opened):
                return name
        raise AssertionError("no worker asks")


@pytest.fixture
def whole(sandbox_factory, services, tmp_path):
    flags = ("--one-token", f"--token-seconds={LIFETIME}", "--frozen", "--rate-limit=20/s")
    made = Whole(tmp_path, sandbox_factory("--profile=current", *flags), services)
    made.environment["WORKER_THREADS"] = "1"  # so that each job is another worker's
    yield made
    made.close()


def test_jobs_finish_over_many_tokens_and_a_killed_renewal(whole, fault_server, tmp_path):
    token_url = TokenURL(whole.sandbox, whole)
    fault_server.always(token_url)
    address = f"{fault_server.url}/oauth/token"
    whole.script(_RENEWING, whole.connection, address, whole.sandbox.token)
    whole.start(*WORKERS, "beat")
    people = [addresses(ROWS) for _worker in WORKERS]
    jobs = [approved(whole, each, tmp_path / f"emails-{at}") for at, each in enumerate(people)]

    whole.until(lambda: all(done(whole, job) > 5 for job in jobs), timeout=120)
    before = len(token_url.issued)
    token_url.is_armed = True
    whole.until(lambda: bool(token_url.killed), timeout=30)
    whole.start(token_url.killed)
    whole.until(lambda: all(state_of(whole, job) == "done" for job in jobs), timeout=240)
    ended = time.monotonic()

    for job, emails in zip(jobs, people, strict=True):
        assert dict(whole.query(COUNTS, job)) == {"done": ROWS}
        assert sorted(on_the_account(whole.sandbox, emails)) == emails
    within = [moment for moment in token_url.issued[before - 1 :] if moment <= ended]
    lives = sorted(after - moment for moment, after in pairwise(within))
    assert len(lives) >= 4
    assert lives[0] > LIFETIME * 3 / 4 - 0.5, lives  # no token is got beside another one
    assert lives[-2] < LIFETIME, lives  # one alone lived on: that of the process that died
    for name in WORKERS:
        whole.kill(name)
    assert int(run_within(whole.sandbox, _COUNTED)) == len(token_url.issued)
    whole.manage("verify_audit")
