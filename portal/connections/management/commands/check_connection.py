"""`manage.py check_connection KEY`: what a connection can be used for."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from portal.access.http import Origin
from portal.access.models import Connection
from portal.connections.check_report import CheckReport
from portal.connections.services.checking import check_now


class Command(BaseCommand):
    help = "Asks the service once for each family of operations, and prints what came of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("key", help="the key of the connection, as in its address")

    def handle(self, *, key: str, **_options: object) -> None:
        connection = Connection.objects.select_related("owner").filter(key=key).first()
        if connection is None:
            raise CommandError(f"There is no connection with the key {key}.")
        report = CheckReport(check_now(connection, Origin()))
        self.stdout.write(report.text())
        if report.problem:
            raise CommandError(report.problem)
