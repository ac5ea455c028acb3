"""Celery tasks of the shared parts of pages."""

from portal.config.celery import app
from portal.ui.sheets import storage


@app.task(name="ui.erase_tables")
def erase_tables() -> None:
    """Erases uploaded tables that nobody went on with."""
    storage.erase_old()
