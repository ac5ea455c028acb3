"""`manage.py verify_audit`: proves that no audit entry was changed, removed or inserted."""

from argparse import ArgumentParser, ArgumentTypeError

from django.core.management.base import BaseCommand, CommandError

from portal.audit.routine import RoutineMarks, store_marks
from portal.audit.verifying import Noted, verify


def _noted(text: str) -> Noted:
    number, colon, digest = text.partition(":")
    if not colon or not number.isdecimal() or not digest:
        raise ArgumentTypeError("write it as the command prints it, number:hash")
    return int(number), digest


class Command(BaseCommand):
    help = (
        "Walks the chains of the audit trail from the first entry to the last. Prints the number"
        " and hash of the last; kept elsewhere, they prove that nothing before them was lost."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--noted",
            type=_noted,
            metavar="NUMBER:HASH",
            help="An entry as printed by an earlier run, which must still be there.",
        )

        parser.add_argument(
            "--note",
            action="store_true",
            help="Have the routine check of this machine go on from the trail as it is now: after"
            " a backup was put back, in which noted entries are missing.",
        )

    def handle(self, noted: Noted | None = None, *, note: bool = False, **_options: object) -> None:
        verdict = verify(noted)
        if verdict.problem:
            raise CommandError(
                f"The audit trail is broken. {verdict.problem} "
                f"{verdict.entries} entries before it are intact.",
                returncode=1,
            )
        if note:
            store_marks(RoutineMarks(verdict.place, verdict.place))
        self.stdout.write(
            f"{verdict.entries} entries, unbroken. The last is "
            f"{verdict.place.number}:{verdict.place.digest}"
            if verdict.entries
            else "The audit trail is empty."
        )
