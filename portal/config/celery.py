"""The Celery application. It transports work; the state of work is in the database."""

import logging.config
import os
import warnings
from pathlib import Path
from typing import Any

import structlog
from celery import Celery
from celery.exceptions import CPendingDeprecationWarning, SecurityWarning
from celery.signals import setup_logging, task_postrun
from django.conf import settings
from django.dispatch import receiver
from django_structlog.celery.signals import (
    bind_extra_task_metadata,
    modify_context_before_task_publish,
)
from django_structlog.celery.steps import DjangoStructLogInitStep
from kombu.exceptions import OperationalError
from kombu.transport import TRANSPORT_ALIASES

from portal.config.network import Outage
from portal.config.postgresql.surplus import close_surplus

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.config.settings")
# Checking the URLs imports every view, which no worker needs: `manage.py migrate` checks them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

_log = structlog.get_logger(__name__)
_outage = Outage(OperationalError)

app = Celery("switchboard", task_cls="portal.work.slots:SlottedTask")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)
task_postrun.connect(close_surplus)
# Celery announces defaults of a later release each time that it loses the broker.
warnings.filterwarnings("ignore", category=CPendingDeprecationWarning)

TRANSPORT_ALIASES |= dict.fromkeys(("redis", "rediss"), "portal.config.broker:RedisTransport")
if settings.CELERY_BROKER_URL.startswith("filesystem"):
    TRANSPORT_ALIASES["filesystem"] = "portal.config.broker:FileTransport"
    for _option in ("data_folder_in", "data_folder_out", "control_folder"):
        _folder = Path(str(settings.CELERY_BROKER_TRANSPORT_OPTIONS[_option]))
        _folder.mkdir(parents=True, exist_ok=True)


if settings.DEMO:
    # It may run as root: it accepts messages of this machine only.
    warnings.filterwarnings("ignore", category=SecurityWarning)


@receiver(bind_extra_task_metadata)
def _name_task(task: Any, **_signal: object) -> None:
    """Has each line of a task name it, and the row that it is about."""
    row = {"row": task.request.args[0]} if task.request.args else {}
    structlog.contextvars.bind_contextvars(task=task.name, **row)


@receiver(modify_context_before_task_publish)
def _leave_names_out(context: dict[str, object], **_signal: object) -> None:
    """Has a task that another one sends not bear the names of that one."""
    for name in ("task", "row", "item"):
        context.pop(name, None)


def enqueue(task: str, *args: object, **options: Any) -> None:
    """Sends a task to the workers by its name: tasks import the modules that enqueue them.

    If the broker is unavailable, this is logged: the work is in the database, and a sweep enqueues
    it again.
    """
    try:
        with _outage.watched():
            app.send_task(task, args, **options)
    except (OperationalError, OSError):
        _log.warning("the broker did not take a message", task=task, exc_info=True)


def repeat(task: str, seconds: float, *args: object, **options: object) -> None:
    """Lets the scheduler run a task, given by its name, every `seconds`."""
    entry = {"task": task, "schedule": seconds, "args": args, "options": options}
    app.conf.beat_schedule[" ".join((task, *map(str, args)))] = entry


@setup_logging.connect
def _log_as_the_portal_does(**_kwargs: object) -> None:
    logging.config.dictConfig(settings.LOGGING)
