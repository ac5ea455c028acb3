"""`manage.py load_lists`: loads the lists of all accounts that were never loaded."""

import time
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from portal.access.grants import scope_of
from portal.access.models import Connection
from portal.mirror.loading import begin, progress_of

_POLLED_EVERY = 0.25  # seconds


class Command(BaseCommand):
    help = "Has the workers load the lists of all accounts that were never loaded."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--wait", type=float, default=0.0, help="seconds to wait for them")

    def handle(self, *, wait: float, **_options: object) -> None:
        connections = list(Connection.objects.select_related("owner"))
        for connection in connections:
            begin(connection)
        until = time.monotonic() + wait
        while _is_loading(connections) and time.monotonic() < until:
            time.sleep(_POLLED_EVERY)


def _is_loading(connections: list[Connection]) -> bool:
    progress = progress_of([scope_of(each.owner, each) for each in connections])
    return any(one.state.is_wanted for lists in progress.values() for one in lists)
