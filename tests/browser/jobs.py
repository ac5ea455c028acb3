"""Jobs of the running demo, put into the state that a test wants to see.

Run as a program it makes them, and removes those whose paths it is given: it has to be a process
with the demo's own settings.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it needs settings, which the program does not have yet
    from tests.browser.shared_demonstration import Demo

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def jobs_in_each_state(demo: "Demo") -> Iterator[dict[str, str]]:
    """The path of a job's page by its state; a worker leaves all of them alone.

    Later stories of this demo have none of them: one that runs for ever would be counted there.
    """
    paths: dict[str, str] = json.loads(_run(demo).splitlines()[-1])
    try:
        yield paths
    finally:
        _run(demo, *paths.values())


def _run(demo: "Demo", *paths: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "tests.browser.jobs", *paths],
        cwd=ROOT,
        env=demo.environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout


def _make() -> dict[str, str]:
    from django.utils import timezone  # noqa: PLC0415

    from portal.access.models import Connection  # noqa: PLC0415
    from portal.jobs.models import ItemState, JobState  # noqa: PLC0415
    from tests.support.job_pages import forced, item, url  # noqa: PLC0415

    connection = Connection.objects.earliest("pk")
    now = timezone.now()
    changes = [["Licence", "Basic", "Pro"], *([f"Field {n}", "a", "b"] for n in range(5))]
    notes = [["warning", "812 licences are needed, and 640 are free."], ["neutral", "A note."]]
    rows = {
        "planned": [item(2), item(3, action="change", changes=changes), item(4, action="delete")],
        "running": [
            *(item(number, ItemState.DONE) for number in range(2, 40)),
            item(40, ItemState.FAILED, message="No licence is left."),
            item(41, ItemState.UNKNOWN, message="The service did not answer within 10 s."),
            item(42, ItemState.SENDING),
            item(43),
        ],
    }
    rows["paused"] = rows["done"] = rows["cancelled"] = rows["running"][:-2]
    data: dict[str, dict[str, object]] = {
        "planning": {"expected": 100, "progress": 40, "activity": "Reading who is there"},
        "planned": {"notes": notes},
        "unplannable": {"reason": "The table has no rows."},
        "running": {"rate": 8.3, "pace": 9.0, "waits_until": now + timedelta(days=1)},
        "paused": {"reason": "The service does not accept the token."},
        "done": {"finished_at": now},
    }
    paths = {}
    for state in JobState:
        job = forced(
            connection,
            state,
            *map(copy, rows.get(state, [])),
            kind="people.import",
            title=f"A job that is {state.label.lower()}",
            leased_until=now + timedelta(days=1),
            **data.get(state, {}),
        )
        paths[state.value] = url(job)
    return paths


def _remove(paths: list[str]) -> None:
    from portal.jobs.models import Job  # noqa: PLC0415

    for path in paths:
        Job.objects.get(key=path.rstrip("/").rsplit("/", 1)[-1]).delete()


if __name__ == "__main__":
    import django

    from portal.config import demo

    running = demo.Demo.from_environment()
    os.environ.update(demo.environment(running, demo.keys(running.data_dir)))
    django.setup()
    if sys.argv[1:]:
        _remove(sys.argv[1:])
    else:
        sys.stdout.write(json.dumps(_make()) + "\n")
