"""Celery tasks of imports."""

from portal.config.celery import app
from portal.imports.sheets import storage


@app.task(name="imports.erase_tables")
def erase_tables() -> None:
    """Erases uploaded tables that nobody went on with."""
    storage.erase_old()
