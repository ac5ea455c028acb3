"""Celery tasks of the people app."""

from portal.config.celery import app
from portal.people.licences import plans


@app.task(name="people.count_seats")
def count_seats() -> None:
    """Notes how many licences are used today, on each connection."""
    plans.count_all()
