"""Celery tasks of imports."""

from portal.config import clock
from portal.config.celery import app
from portal.imports.models import StoredTable
from portal.imports.sheets.storage import STORED_FOR


@app.task(name="imports.erase_tables")
def erase_tables() -> int:
    """Erases uploaded tables that were not imported. Returns their count."""
    return StoredTable.objects.filter(stored_at__lt=clock.now() - STORED_FOR).delete()[0]
