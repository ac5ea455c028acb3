"""Figures of several processes: one answer for all, and totals that no end of a process lowers."""

import signal

import psutil
import pytest

from tests.operations.scraping import TOKEN, scraped
from tests.support import plain_http
from tests.support.deployment import Whole

pytestmark = pytest.mark.deep

ENQUEUE = "from portal.audit.tasks import verify_audit; verify_audit.delay()"
VIEWS = {"view": "account_login", "method": "GET"}


@pytest.fixture
def whole(tmp_path, sandbox, services):
    made = Whole(tmp_path, sandbox, services, forks=False)  # each counts for itself
    made.environment |= {
        "METRICS_TOKEN": TOKEN,
        "WEB_WORKERS": "2",
    }
    yield made
    made.close()


def test_all_processes_are_counted_even_after_they_end(whole):
    whole.start("web", "worker")
    whole.until(whole.answers)
    for _ in range(40):
        plain_http.get(f"{whole.url}/account/login/")
    counting = len([*(whole.data_dir / "metrics").glob("*.lock")])
    assert counting >= 2, "one web process has answered everything"
    assert scraped(whole.url)("switchboard_requests_total", **VIEWS) == 40
    whole.script(ENQUEUE)
    checks = "switchboard_audit_checks_total"
    whole.until(lambda: scraped(whole.url)(checks, outcome="intact") == 1)

    whole.kill("worker")
    server = psutil.Process(whole._running["web"].pid)
    for process in server.children(recursive=True):
        process.send_signal(signal.SIGKILL)
    whole.until(lambda: not [*server.children()] or whole.answers())
    whole.until(whole.answers)
    found = scraped(whole.url)
    assert found("switchboard_requests_total", **VIEWS) == 40
    assert found("switchboard_request_seconds_count", **VIEWS) == 40
    assert found(checks, outcome="intact") == 1
    assert found("switchboard_audit_check_timestamp_seconds") > 1.7e9
    left = [*(whole.data_dir / "metrics").glob("counter_*.db")]
    alive = [*(whole.data_dir / "metrics").glob("*.lock")]
    assert len(left) == len(alive) + 1, "files of processes that ended are left"


def test_without_a_token_nothing_is_counted_and_no_file_is_made(whole):
    del whole.environment["METRICS_TOKEN"]
    whole.start("web")
    whole.until(whole.answers)
    plain_http.get(f"{whole.url}/account/login/")
    assert plain_http.get(f"{whole.url}/metrics").status_code == 404
    assert not (whole.data_dir / "metrics").exists()
