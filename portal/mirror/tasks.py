"""The worker's side of the mirrors."""

from portal.config.celery import app
from portal.mirror.hooks import prune
from portal.mirror.refresh import refresh


@app.task(name="mirror.refresh")
def refresh_mirror(state_id: int) -> None:
    """Brings one mirror up to date, if that is still wanted."""
    refresh(state_id)


@app.task(name="mirror.prune")
def prune_notifications() -> None:
    """Forgets which notifications were taken long ago."""
    prune()
