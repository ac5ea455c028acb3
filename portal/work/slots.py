"""Urgency of work, and the threads of a worker that work without haste may take.

What a person waits for goes through the default queue of the broker, to which every release
listens. Messages of `NIGHT` are about rows alone. One that finds no slot is dropped, since its row
waits in the database, and each end of such work wakes a worker for the next row.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from celery import Task
from django.conf import settings


class Urgency(StrEnum):
    """Queues of the broker, by what waits for the work."""

    NOW = "celery"  # a person: previews, jobs that were applied, tests of a connection
    SOON = "soon"  # deliveries, mails, lists that are viewed
    NIGHT = "night"  # loading of lists, counts, reports at their time


_changing = threading.Lock()
_running = 0
_next_of: dict[str, Callable[[], object]] = {}


def night_slots() -> int:
    """Returns how many threads of a worker work of the night may take: some are left to people."""
    threads: int = settings.WORKER_THREADS
    return max(threads - max(threads // 8, 1), 1)


@contextmanager
def night_slot() -> Iterator[bool]:
    """Takes a slot of this process while the block runs, and yields whether there was one."""
    global _running  # noqa: PLW0603
    with _changing:
        has_one = _running < night_slots()
        _running += has_one
    try:
        yield has_one
    finally:
        with _changing:
            _running -= has_one


def after_each(task: str, wake_next: Callable[[], object]) -> None:
    """Calls this from now on after each end of the task's work of the night."""
    _next_of[task] = wake_next


class SlottedTask(Task):  # type: ignore[type-arg]
    """Celery task that takes a slot for work of the night. Called directly it needs none."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        delivered = self.request.delivery_info or {}
        if delivered.get("routing_key") != Urgency.NIGHT:
            return self.run(*args, **kwargs)
        with night_slot() as has_one:
            result = self.run(*args, **kwargs) if has_one else None
        if has_one and (wake_next := _next_of.get(self.name)):
            wake_next()
        return result
