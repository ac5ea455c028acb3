"""The disk of the database, of the data and of the logs fills up under a running job: pages are
shown, no process ends, nothing is done twice, and with space again all goes on by itself."""

import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.deployment import Whole
from tests.support.drills import under_way
from tests.support.programs import ROOT
from tests.support.services import Services

SUPERVISE = """
from portal.config.procfile import Supervisor
started = lambda: open("started", "x").close()
Supervisor([("one", "echo said; exec sleep 600")], cwd=".", started=started).loop()
"""


@pytest.fixture
def on_sqlite(small_disk, slow_sandbox, tmp_path):
    """All that the portal keeps stands on that disk, but for what is read here."""
    for name in ("web", "worker", "beat"):
        (small_disk.place / f"{name}.log").symlink_to(tmp_path / f"{name}.log")
    made = Whole(small_disk.place, slow_sandbox, Services("", "", ""))
    yield made
    made.close()


@pytest.mark.deep
def test_a_full_disk_under_a_job_ends_no_process(on_sqlite, small_disk, tmp_path):
    whole, words = on_sqlite, "database or disk is full"
    whole.environment |= {"METRICS_TOKEN": "m" * 40}
    job = under_way(whole, tmp_path)
    with closing(whole.visitor()) as visitor:
        assert visitor.get(f"/c/{whole.connection}/reports/hosts/").status_code == 200
        small_disk.fill()
        whole.until(lambda: job.said(words))
        small_disk.fill()  # also what was given back when the job's transaction failed
        job.shows_pages(visitor)
        whole.until(lambda: (whole.data_dir / "worker.log").read_text().count(words) > 1)
        assert small_disk.is_full
        assert whole.ended() == {}
        small_disk.free()
    job.ends_well()


def test_supervisor_whose_log_is_full_ends_when_asked(tmp_path):
    """Its output goes to a full disk."""
    with Path("/dev/full").open("wb") as full:
        running = subprocess.Popen(
            [sys.executable, "-c", SUPERVISE],
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
            stdout=full,
            stderr=full,
        )
    with running:
        while not (tmp_path / "started").exists():
            assert running.poll() is None
        running.send_signal(signal.SIGTERM)
        try:
            assert running.wait(30) is not None
        finally:
            running.kill()
