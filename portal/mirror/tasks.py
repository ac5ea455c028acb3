"""The worker's side of the mirrors."""

from portal.config.celery import app
from portal.mirror.hooks import prune
from portal.mirror.refresh import refresh, sweep


@app.task(name="mirror.refresh")
def refresh_mirror(state_id: int) -> None:
    """Brings one mirror up to date, if that is still wanted."""
    refresh(state_id)


@app.task(name="mirror.prune")
def prune_notifications() -> None:
    """Forgets which notifications were taken long ago."""
    prune()


@app.task(name="mirror.sweep")
def sweep_mirrors() -> None:
    """Wakes a worker for refreshes whose message was lost, whose worker died, or that are due."""
    sweep()
