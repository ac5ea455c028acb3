"""`manage.py import_people`: the import of the pages, from a terminal or a script."""

import signal
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.access.roles import RoleRefused
from portal.contract.users import CreateAction, LicenceType
from portal.imports.columns import headings_of
from portal.imports.sheets import ENCODINGS, Limits, Sheet, SheetUnreadable, read
from portal.jobs import running, services as jobs
from portal.jobs.export import problem_of
from portal.jobs.leases import JOBS
from portal.jobs.models import NEVER_SENT, ItemState, Job, JobState
from portal.jobs.planner import plan
from portal.people.imports.columns import COLUMNS, mapping_of, names_in
from portal.people.imports.jobs import KIND, draft

_STRETCH = 1.0  # seconds of work between two looks at the bar
_SHOWN = 20
_INTERRUPTED = 130
_AWAITS_APPROVAL = 3
_WRONG = (ItemState.INVALID, ItemState.FAILED, ItemState.UNKNOWN)
_ENDED = (ItemState.DONE, ItemState.FAILED, ItemState.UNKNOWN)


class Command(BaseCommand):
    help = (
        "Imports people from a CSV or XLSX file: previews the changes, and applies them in "
        "this process. Ends with 0 where every row is done or unchanged, else with 1, and "
        "with 3 where another administrator has to approve it first. Interrupted, the job stays: a "
        "worker finishes it, or --resume does."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?")
        parser.add_argument("--connection", help="Its name, or its key in the address of a page.")
        parser.add_argument("--owner", help="Whose connection, where several have the name.")
        parser.add_argument("--dry-run", action="store_true", help="Preview, send nothing.")
        parser.add_argument("--yes", action="store_true", help="Do not ask before it is sent.")
        parser.add_argument("--resume", metavar="JOB", help="Go on with a job, by its key.")
        parser.add_argument(
            "--fill-zeros",
            action="store_true",
            help="Put zeros back that a spreadsheet dropped: 12345 becomes 012345.",
        )
        parser.add_argument("--encoding", choices=ENCODINGS, default="")
        parser.add_argument("--sheet", default="", help="Of a workbook with several.")
        parser.add_argument(
            "--with-hidden",
            action="store_true",
            help="Import rows and columns that the sheet hides too, as those of a filter.",
        )
        parser.add_argument(
            "--way",
            choices=[way.value for way in CreateAction],
            default=CreateAction.CREATE.value,
            help="How people get in whose row does not say it.",
        )
        parser.add_argument(
            "--licence",
            choices=[kind.name.lower() for kind in LicenceType],
            default=LicenceType.BASIC.name.lower(),
            help="Of people who are created and whose row does not say it.",
        )

    def handle(self, *, resume: str | None, dry_run: bool, yes: bool, **options: object) -> None:
        job = self._resumed(resume) if resume else self._drafted(**options)
        with _stoppable():
            seen = self._plan(job)
            if running.stopping.is_set():
                self._leave(job)
            if dry_run:
                jobs.cancel(job, _origin(job.owner))
                self.stdout.write("Nothing was sent.")
            elif job.state == JobState.PLANNED:
                self._approve(job, seen, yes=yes)
            if _state(job) == JobState.AWAITING:
                raise CommandError(
                    f"Job {job.key} waits for the approval of another administrator; once they "
                    f"have given it, a worker carries it out, or --resume {job.key}.",
                    returncode=_AWAITS_APPROVAL,
                )
            if not dry_run:
                self._carry_out(job)
        if wrong := job.items.filter(state__in=_WRONG).count():
            raise CommandError(f"{wrong:,} rows are not imported.", returncode=1)

    def _drafted(self, **options: Any) -> Job:
        if options["file"] is None or not options["connection"]:
            raise CommandError("Name the file and the connection.", returncode=2)
        connection = _connection(options["connection"], options["owner"])
        table = _table(options["file"], options["encoding"], options["sheet"])
        names = names_in(table.headers)
        if not options["with_hidden"]:
            table = table.shown
            shown = enumerate(names)
            names = tuple("" if at in table.hidden_columns else name for at, name in shown)
        mapping = mapping_of(
            names,
            table.headers,
            fill_zeros=options["fill_zeros"],
            way=options["way"],
            licence=LicenceType[options["licence"].upper()].value,
        ).fitted(table)
        if problems := mapping.problems():
            raise CommandError(" ".join(problems), returncode=2)
        read_as = ", ".join(f"{heading} ({title})" for heading, title in mapping.read_as)
        self.stdout.write(f"Columns: {read_as}.")
        if left := mapping.ignored:
            self.stdout.write(f"Not imported: {', '.join(left)}.")
        name = options["file"].name
        return draft(_origin(connection.owner), connection, table, mapping, name=name)

    def _resumed(self, key: str) -> Job:
        job = Job.objects.select_related("owner", "connection").filter(key=key, kind=KIND).first()
        if job is None:
            raise CommandError("There is no import with this key.", returncode=2)
        if job.state == JobState.PAUSED:
            jobs.resume(job, _origin(job.owner))
        return job

    def _plan(self, job: Job) -> int:
        """Makes the plan and shows it. Returns which one that was."""
        with tqdm(desc="Planning", unit=" rows", disable=None, leave=False) as bar:
            list(_turns(job, JobState.PLANNING, bar))
        if job.state == JobState.UNPLANNABLE:
            raise CommandError(job.shown_reason)
        seen = jobs.plan_version(job)
        items = job.items.order_by().values_list("state", "action")
        for (state, action), count in sorted(Counter(items).items()):
            what = f"{ItemState(state).label.lower()}{f', {action}' if action else ''}"
            self.stdout.write(f"{count:>8,}  {what}")
        for tone, words in job.shown_notes:
            self.stdout.write(f"{'Note' if tone == 'neutral' else 'Warning'}: {words}")
        self._print_problems(job, ItemState.INVALID)
        return seen

    def _print_problems(self, job: Job, *states: ItemState) -> None:
        wrong = job.items.filter(state__in=states)
        for item in wrong[:_SHOWN]:
            words = problem_of(item)
            self.stderr.write(f"Row {item.number}, {item.shown_label}: {words}")
        if (more := wrong.count() - _SHOWN) > 0:
            self.stderr.write(f"… and {more:,} rows more; the page of the job lists them all.")

    def _approve(self, job: Job, seen: int, *, yes: bool) -> None:
        count = job.items.filter(state=ItemState.PENDING).count()
        where = f"to {job.connection.name} ({job.connection.base_url})"
        if not yes and count:
            if not sys.stdin.isatty():
                raise CommandError(f"Job {job.key} is awaiting approval; --yes applies it at once.")
            if input(f"Send {count:,} rows {where}? [y/N] ").strip().lower() not in ("y", "yes"):
                jobs.cancel(job, _origin(job.owner))
                raise CommandError("Nothing was sent.")
        try:
            # A terminal on this machine is proof enough of identity.
            jobs.approve(job, _origin(job.owner), seen=seen, reauthenticated=lambda: True)
        except RoleRefused as refused:
            raise CommandError(f"“{refused.operation.summary}” is not allowed here.") from None
        except jobs.JobRefused as problem:
            raise CommandError(str(problem)) from None

    def _carry_out(self, job: Job) -> None:
        ended = job.items.filter(state__in=_ENDED, ended_at__isnull=False)
        total = ended.count() + job.items.exclude(state__in=(*_ENDED, *NEVER_SENT)).count()
        with tqdm(desc="Sending", total=total, unit=" rows", disable=None) as bar:
            for _turn in _turns(job, JobState.RUNNING, bar):
                bar.update(ended.count() - bar.n)
        counts = Counter(job.items.order_by().values_list("state", flat=True))
        values = (f"{count:,} {ItemState(state).label.lower()}" for state, count in counts.items())
        self.stdout.write(f"{', '.join(values)}.")
        self._print_problems(job, ItemState.FAILED, ItemState.UNKNOWN)
        if _state(job) == JobState.PAUSED:
            raise CommandError(f"The job {job.key} is paused: {job.shown_reason}")
        if job.state == JobState.RUNNING:
            self._leave(job)

    def _leave(self, job: Job) -> None:
        what = "is awaiting approval" if job.state == JobState.PLANNED else "goes on in a worker"
        self.stderr.write(f"Interrupted. The job {job.key} {what}; or --resume {job.key}.")
        sys.exit(_INTERRUPTED)


def _connection(name: str, owner: str | None) -> Connection:
    matching = Connection.objects.select_related("owner")
    matching = matching.filter(name=name) | matching.filter(key=name)
    if owner:
        matching = matching.filter(owner__email__iexact=owner)
    if not matching:
        raise CommandError("There is no such connection.", returncode=2)
    if len(matching) > 1:
        owners = ", ".join(sorted(each.owner.email for each in matching))
        raise CommandError(f"Several have it: {owners}. Choose with --owner.", returncode=2)
    return matching[0]


def _table(path: Path, encoding: str, sheet: str) -> Sheet:
    name, headings = path.name, headings_of(COLUMNS)
    try:
        Limits().check_size(path.stat().st_size)
        content = path.read_bytes()
        table = read(content, file_name=name, encoding=encoding, sheet=sheet, headings=headings)
    except (OSError, SheetUnreadable) as problem:
        raise CommandError(str(problem), returncode=2) from None
    if table.is_doubtful and not encoding:
        raise CommandError(
            f"The file may be in {table.encoding}, or in another encoding: {table.foreign()[0]}. "
            "Name its encoding with --encoding.",
            returncode=2,
        )
    return table


def _state(job: Job) -> str:
    job.refresh_from_db()
    return job.state


def _turns(job: Job, state: str, bar: "tqdm[Any]") -> Iterator[None]:
    """Plans or runs the job for as long as it is in a state; where another process has it, this
    prints how far that is."""
    while _state(job) == state and not running.stopping.is_set():
        if (taken := JOBS.acquire(job.pk)) is None:
            bar.set_postfix_str(job.activity)
            time.sleep(0.3)
        elif taken.state == JobState.PLANNING:
            plan(taken)
        else:
            running.run(taken, _STRETCH)
        yield


def _origin(owner: User) -> Origin:
    return Origin(owner, email=owner.email)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Lets requests under way end at the first interrupt, and stops at the second."""

    def stop(number: int, _frame: object) -> None:
        running.stopping.set()
        signal.signal(number, before[number])

    before: dict[int, Any] = {
        each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        running.stopping.clear()
