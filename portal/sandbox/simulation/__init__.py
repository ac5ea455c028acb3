"""Life on the account: sessions begin, people come and go, sessions end."""

import logging
import random
import secrets
import time

from django.db import DatabaseError, close_old_connections, connection

from portal.sandbox.clock import now, seconds
from portal.sandbox.models import Simulation
from portal.sandbox.simulation.steps import Life
from portal.sandbox.writing import writing

INTERVAL = 2.0
_LEASE = 5 * INTERVAL

log = logging.getLogger(__name__)


def run() -> None:
    """Moves the account on as long as this process lives, unless another process does."""
    holder, life = secrets.token_hex(8), Life(random.SystemRandom())
    while True:
        time.sleep(INTERVAL)
        try:
            with writing():
                if _holds_the_lease(holder):
                    life.move(now().replace(microsecond=0))
        except DatabaseError:
            log.exception("The account did not move")
            close_old_connections()
            connection.close()


def _holds_the_lease(holder: str) -> bool:
    """Returns whether this process has the lease; another one takes over soon after its end."""
    moment = seconds()
    Simulation.objects.get_or_create(pk=1)
    lease = Simulation.objects.select_for_update().get(pk=1)
    if lease.holder != holder and lease.until > moment:
        return False
    lease.holder, lease.until = holder, moment + _LEASE
    lease.save()
    return True
