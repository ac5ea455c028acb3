"""`manage.py check_baseline`: whether settings are as a baseline wants them, for scripts and CI."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.access.grants import scope_of
from portal.access.models import Connection
from portal.access.roles import RoleRefused
from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable
from portal.account.baselines import document
from portal.account.baselines.document import YamlFault, decode
from portal.account.baselines.services import (
    GONE,
    Checked,
    actual_in_words,
    check_subjects,
    scope_in_words,
    subjects_of,
)
from portal.account.models import Baseline
from portal.account.subjects import KINDS, PEOPLE
from portal.client import Api, ApiError
from portal.connections.api import api_for
from portal.directory.groups import GROUPS
from portal.directory.users import USERS
from portal.mirror.refresh import refresh

_DRIFT, _NOT_CHECKED = 1, 2
_PATIENCE = 600.0  # seconds that the list of people may take


class Command(BaseCommand):
    help = (
        "Checks a baseline, or a YAML document, against the service now, and changes nothing. Ends "
        "with 0 where all is as wanted, with 1 where something differs, and with 2 where it could "
        "not be checked, or not everybody could be read and nothing else differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="The name of a baseline.")
        parser.add_argument("--file", type=Path, help="A YAML document instead of a name.")
        parser.add_argument("--connection", help="Its name, or its key in the address of a page.")
        parser.add_argument("--owner", help="Whose connection, where several have the name.")

    def handle(self, *, name: str | None, file: Path | None, **options: Any) -> None:
        if (name is None) == (file is None):
            raise CommandError("Name a baseline, or a --file.", returncode=_NOT_CHECKED)
        connection = _connection(options["connection"], options["owner"], name)
        try:
            scope = scope_of(connection.owner, connection)
            api = api_for(scope)
            baseline = _from_file(file, scope, api) if file else _stored(connection, name)
            if baseline.kind == PEOPLE.name:
                _have_read(connection, groups=False)
            wrong, missed = self._check(scope, baseline, api)
        except (ApiError, YamlFault, TokenUnreadable, OSError) as problem:
            words = problem.message if isinstance(problem, ApiError) else str(problem)
            raise CommandError(f"Not checked: {words}", returncode=_NOT_CHECKED) from None
        except RoleRefused as refused:
            words = f"Not checked: “{refused.operation.summary}” is not allowed here."
            raise CommandError(words, returncode=_NOT_CHECKED) from None
        if wrong:
            words = "1 setting differs." if wrong == 1 else f"{wrong:,} settings differ."
            raise CommandError(f"Drift: {words}", returncode=_DRIFT)
        if missed:
            words = f"Not checked: {missed:,} could not be read."
            raise CommandError(words, returncode=_NOT_CHECKED)

    def _check(self, scope: Scope, baseline: Baseline, api: Api) -> tuple[int, int]:
        """Returns the number of settings that differ, and of subjects that could not be read."""
        if baseline.kind not in KINDS:
            words = "Not checked: the baseline was made by another release of Switchboard."
            raise CommandError(words, returncode=_NOT_CHECKED)
        kind, subjects = KINDS[baseline.kind], subjects_of(scope, baseline, api)
        wrong = missed = 0
        for checked in check_subjects(api, kind, subjects, baseline.values):
            wrong += len(checked.differences)
            missed += bool(checked.problem) and checked.problem != GONE
            self._print(checked)
        count = len(subjects)
        self.stdout.write(
            f"{baseline.name}, {scope_in_words(baseline)}: {count:,} {kind.noun[count != 1]}, "
            f"{len(baseline.values):,} wanted, {wrong:,} differ."
        )
        return wrong, missed

    def _print(self, checked: Checked) -> None:
        for each in checked.differences:
            actual = actual_in_words(each.setting, each.old)
            self.stdout.write(
                f"{checked.label} ({checked.subject_id}): {each.setting.name}: "
                f"wanted {each.new_words}, found {actual}"
            )
        if checked.problem:
            self.stderr.write(f"{checked.label} ({checked.subject_id}): {checked.problem}")


def _connection(wanted: str | None, owner: str | None, name: str | None) -> Connection:
    """Returns the named connection; else the only one, or the only one with such a baseline."""
    matching = Connection.objects.select_related("owner")
    if wanted:
        matching = matching.filter(name=wanted) | matching.filter(key=wanted)
    elif name:
        own = Baseline.objects.filter(name__iexact=name).values("connection")
        matching = matching.filter(pk__in=own)
    if owner:
        matching = matching.filter(owner__email__iexact=owner)
    if not matching:
        words = "There is no such connection." if wanted or not name else "No such baseline."
        raise CommandError(words, returncode=_NOT_CHECKED)
    if len(matching) > 1:
        listed = ", ".join(sorted(f"{each.name} of {each.owner.email}" for each in matching))
        words = f"There are several: {listed}. Choose with --connection and --owner."
        raise CommandError(words, returncode=_NOT_CHECKED)
    return matching[0]


def _stored(connection: Connection, name: str | None) -> Baseline:
    stored = Baseline.objects.select_related("connection")
    baseline = stored.filter(connection=connection, name__iexact=name).first()
    if baseline is None:
        words = f"There is no baseline “{name}” on {connection.name}."
        raise CommandError(words, returncode=_NOT_CHECKED)
    return baseline


def _from_file(path: Path, scope: Scope, api: Api) -> Baseline:
    """Returns the unsaved baseline of a document."""
    parsed = document.parse(decode(path.read_bytes()))
    if parsed.baseline.kind == PEOPLE.name:
        _have_read(scope.connection, groups=True)
    return document.baseline_on(parsed, scope, api)


def _have_read(connection: Connection, *, groups: bool) -> None:
    """Has the lists read that are old, here or by a worker that is at it already."""
    deadline = time.monotonic() + _PATIENCE
    for mirrored in (USERS, GROUPS) if groups else (USERS,):
        while (state := mirrored.state_of(connection)).is_older_than(mirrored.stale_after):
            if not state.is_running:
                mirrored.request(connection)
                refresh(state.pk)
                state.refresh_from_db()
                if state.failure:
                    raise YamlFault(f"The list of {mirrored.noun} was not read: {state.failure}")
            if time.monotonic() > deadline:
                raise YamlFault(f"The list of {mirrored.noun} is not read in time.")
            time.sleep(0.2 if state.is_running else 0)
