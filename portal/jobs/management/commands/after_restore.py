"""`manage.py after_restore`: makes jobs fit to go on after the database was put back."""

from typing import Any

from django.core.management.base import BaseCommand

from portal.jobs.restoring import doubt_all


class Command(BaseCommand):
    help = (
        "Run this once after the database was restored from a backup, before the worker starts."
        " What open jobs were still to send may have been sent after the backup was taken: each"
        " such item is asked about at the service before it is sent."
    )

    def handle(self, **_options: Any) -> None:
        doubted = doubt_all()
        if not doubted:
            self.stdout.write("No job was open when the backup was taken.")
        for job, items in doubted:
            self.stdout.write(f"{job.title} ({job.key}): {items:,} items are asked about first.")
