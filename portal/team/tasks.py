"""Task that makes changes of accounts once their time has come."""

from portal.config.celery import app
from portal.team import waiting
from portal.team.waiting import CHANGES
from portal.work.queue import single_turn


@app.task(name=CHANGES.task)
def change_account(pk: int) -> None:
    """Makes a change that waited, unless it ended before or another worker makes it."""
    with single_turn(CHANGES, pk) as change:
        if change is not None:
            waiting.carry_out(change)
