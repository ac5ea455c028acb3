"""Queues of rows, worked off in the test's own process."""

from typing import Any

from portal.config.celery import app
from portal.work.queue import WorkQueue


def work_off(queue: WorkQueue[Any]) -> int:
    """Has each free row worked on, as after a sweep. Returns how often there was something to
    do."""
    app.loader.import_default_modules()
    queue.before_sweep()
    keys = queue.free_rows().order_by(queue.key).values_list(queue.key, flat=True).distinct()
    return sum(bool(app.tasks[queue.task](key)) for key in list(keys))
