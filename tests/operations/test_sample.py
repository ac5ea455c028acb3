"""What `make run` shows of the portal's own: it is there by itself, and one command removes it."""

import sqlite3
import subprocess
import sys
import time

import pytest

from tests.operations.test_demo import ROOT, Run, ending, free_ports
from tests.support import plain_http
from tests.support.programs import heard_until, surroundings

pytestmark = pytest.mark.deep
_WITHIN = 120.0
# What there is of each, as queries that count.
COUNTED = {
    "colleagues": "access_share",
    "one who is limited": "access_share WHERE departments LIKE '%Sales%'",
    "import": "jobs_job WHERE kind = 'people.import' AND state = 'done'",
    "its wrong rows": "jobs_jobitem WHERE problems <> '[]'",
    "drift": "conferencing_account_drift",
    "alert": "dashboards_alert WHERE raised_at IS NOT NULL",
    "retention rule": "recordings_retentionrule WHERE NOT is_active",
    "mailed report": "reports_reportrun WHERE state = 'sent'",
    "request": "approvals_approvalrequest WHERE state = 'waiting'",
    "subscription": "mirror_subscription",
    "delivery": "mirror_delivery",
}


def counted(run):
    database = sqlite3.connect(f"file:{run.data_dir}/switchboard.sqlite3?mode=ro", uri=True)
    try:
        select = "SELECT count(*) FROM "
        return {
            name: database.execute(select + what).fetchone()[0] for name, what in COUNTED.items()
        }
    finally:
        database.close()


def removed(run):
    command = [sys.executable, "-m", "portal.config.demo", "remove-sample"]
    given = {"DATA_DIR": str(run.data_dir)}
    ports = {"PORT": str(run.port), "SANDBOX_PORT": str(run.sandbox_port)}
    subprocess.run(command, cwd=ROOT, env=surroundings() | given | ports, check=True)


def test_sample_is_made_by_itself_and_removed_by_command(tmp_path):
    with ending(Run(tmp_path / "data", *free_ports(), {"SAMPLE": "on"})) as run:
        run.until_ready()
        list(heard_until(run.process, "marcus.weber@example.com"))
        until = time.monotonic() + _WITHIN
        while not all((found := counted(run)).values()) and time.monotonic() < until:
            time.sleep(0.5)
        assert [name for name, count in found.items() if not count] == []
        assert (found["colleagues"], found["its wrong rows"]) == (2, 2)
        assert [one["email"] for one in run.known["colleagues"]] == [
            "nadia.okafor@example.com",
            "marcus.weber@example.com",
        ]
        removed(run)
        left = {name for name, count in counted(run).items() if count}
        assert left <= {"delivery"}, "the log of deliveries stays for two weeks"
        assert "colleagues" not in run.known
        address = f"{run.known['sandbox_url']}/users/ines.moreau@brightwater.example"
        token = {"Authorization": f"Bearer {run.known['sandbox_token']}"}
        assert plain_http.get(address, headers=token).status_code == 404
