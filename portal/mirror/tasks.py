"""The worker's side of the mirrors."""

from portal.config.celery import app
from portal.mirror import gaps, loading
from portal.mirror.deliveries import prune
from portal.mirror.refresh import refresh


@app.task(name="mirror.refresh")
def refresh_mirror(state_id: int) -> None:
    """Brings one mirror up to date, if that is still wanted."""
    refresh(state_id)


@app.task(name="mirror.keep_loaded")
def keep_loaded() -> None:
    """Has what is due of every connection loaded, whether or not anybody looks at it."""
    loading.keep_loaded()


@app.task(name="mirror.prune")
def prune_notifications() -> None:
    """Forgets deliveries that were taken long ago, and more than are kept."""
    prune()


@app.task(name="mirror.check_webhooks")
def check_webhooks() -> None:
    """Asks the service whether subscriptions still stand, and looks for what was missed."""
    gaps.check_all()
