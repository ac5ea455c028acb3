"""The worker as the Procfile runs it: it takes tasks, says what it does, and ends when asked to."""

import json
import signal
import subprocess
import sys
from pathlib import Path

from tests.support.fork_server import run_forked
from tests.support.programs import ROOT, heard_until, production, surroundings
from tests.support.ready_made import lay_out, portal_database

ENQUEUE = """
import django; django.setup()
import structlog
from portal.work.queue import sweep
structlog.contextvars.bind_contextvars(request_id="the-request")
print(sweep.delay("mirror.refresh").id)
"""


def test_a_task_logs_its_id_and_the_request_that_rang_it(tmp_path, services):
    environment = {"DJANGO_SETTINGS_MODULE": "portal.config.settings"} | production(tmp_path)
    if services.CELERY_BROKER_URL:
        environment["CELERY_BROKER_URL"] = services.CELERY_BROKER_URL
    lay_out(portal_database(), tmp_path / "switchboard.sqlite3")
    sent = run_forked("-c", ENQUEUE, environment=environment)
    assert sent.returncode == 0, sent.stderr
    task_id = sent.stdout.split()[-1]
    with subprocess.Popen(
        [sys.executable, "-m", "portal.config.procfile", "worker"],
        cwd=ROOT,
        env=surroundings()
        | environment
        | {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as worker:
        heard = heard_until(worker, task_id)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(timeout=300) == 0, heard
    said = json.loads(heard[-1])
    assert said["event"] == "task_succeeded"
    assert said["task_id"] == task_id
    assert said["request_id"] == "the-request"
