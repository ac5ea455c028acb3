"""A database as a released program has it, with rows in every table.

The rows are written through the models that the migrations of then describe, and the audit trail is
sealed as it was then: whatever the program does today, it has to read that.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps import apps as installed
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, connection as database, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from portal.access.tokens import seal
from tests.operations.releases import RELEASES
from tests.support.deployment import Whole
from tests.support.sandbox import Sandbox
from tests.support.services import Services

CONNECTION = "rlsdconn"
JOB = "rlsd-job"
SECRET = "a secret of the release"
# Made of other columns, as searches compare them by now.
_DERIVED = {"search", "sort_name"}
# Columns of the trail that entries of before do not have: they are sealed where they say something.
_ADDED = {"approved_by", "undoes_id"}
_EACH = 2  # rows of each table
_BEGAN = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)
# What the program of then would not have stored.
_REFUSED_VALUES = {"lease": None, "leased_until": None, "next_at": datetime(2099, 1, 1, tzinfo=UTC)}
# Rooms that came later took models of others over, with their tables.
_OURS = {config.label for config in installed.get_app_configs() if config.name[:7] == "portal."}
_DUMP = """
import json
from tests.operations.released import dump
print(json.dumps(dump(sys.argv[1])))
"""
_FILL = "from tests.operations.released import fill; fill(*sys.argv[1:])"


class Released(Whole):
    """A portal whose database is a released one; `manage("migrate")` brings it up to date."""

    def __init__(
        self, data_dir: Path, sandbox: Sandbox, services: Services, *, release: str
    ) -> None:
        self.release = release
        super().__init__(data_dir, sandbox, services)

    def dump(self) -> dict[str, list[dict[str, str]]]:
        """Every row of the portal's tables as text, in the order of their keys."""
        found: dict[str, list[dict[str, str]]] = json.loads(self.script(_DUMP, self.release))
        return found

    def _template(self) -> str:
        return "template1"  # without tables

    def _prepare(self) -> str:
        sandbox = self.sandbox
        self.script(_FILL, self.release, self.email, self.password, sandbox.url, sandbox.token)
        return CONNECTION


def models_of_then(release: str) -> Any:
    """The models as the released migrations describe them."""
    executor = _executor()
    return executor.loader.project_state(targets(executor, release)).apps


def fill(release: str, email: str, password: str, url: str, token: str) -> None:
    """Makes the released tables, and rows in each."""
    executor = _executor()
    executor.migrate(targets(executor, release))
    then = models_of_then(release)
    user = then.get_model("access", "User").objects.create(
        email=email, name="Admin", role="administrator", password=make_password(password)
    )
    then.get_model("account", "EmailAddress").objects.create(
        user=user, email=email, verified=True, primary=True
    )
    then.get_model("access", "Connection").objects.create(
        key=CONNECTION,
        owner=user,
        name="Released",
        base_url=url,
        sealed_token=seal(token),
        token_hint=token[-4:],
    )
    for number in range(_EACH):
        refused = write_row_in_each_table(then, number)
        assert refused == []
    write_trail(then)


def write_row_in_each_table(then: Any, number: int) -> list[str]:
    """Of each model of the portal's, but for the trail, whose rows are chained. Returns those that
    the database refuses."""
    refused = []
    for model in _sorted(then):
        values = {
            field.attname: _value(then, model, field, number)
            for field in model._meta.concrete_fields
            if not isinstance(field, models.AutoField)
        }
        try:
            with transaction.atomic():
                model.objects.create(**values)
        except IntegrityError:
            refused.append(model._meta.label)
    return refused


def write_job(release: str, emails: list[str]) -> None:
    """A job that runs: these people are to be deactivated."""
    then = models_of_then(release)
    connection = then.get_model("access", "Connection").objects.get(key=CONNECTION)
    job = then.get_model("jobs", "Job").objects.create(
        key=JOB,
        connection=connection,
        owner=connection.owner,
        kind="people.status",
        title="Deactivate people",
        state="running",
        parameters={"action": "deactivate"},
        approved_at=timezone.now(),
    )
    for number, email in enumerate(emails):
        then.get_model("jobs", "JobItem").objects.create(
            job=job,
            number=number,
            label=email,
            object_id=email,
            action="deactivate",
            data={"before": "active"},
        )


def dump(release: str) -> dict[str, list[dict[str, str]]]:
    """Every row of the tables that the portal has, or had then."""
    names = {model._meta.db_table for model in installed.get_models() if _is_ours(model)}
    names |= {
        model._meta.db_table for model in models_of_then(release).get_models() if _is_ours(model)
    }
    with database.cursor() as cursor:
        there = names & set(database.introspection.table_names(cursor))
        return {name: [*_rows(cursor, name)] for name in sorted(there)}


def lost(
    before: dict[str, list[dict[str, str]]], after: dict[str, list[dict[str, str]]]
) -> set[str]:
    """Returns the tables, columns and rows of one dump that another lacks."""
    result = set()
    for table, rows in before.items():
        stored = after.get(table, [])
        columns = set(rows[0]) & set(stored[0]) if stored else set()
        result |= {f"{table}.{name}" for name in set(rows[0]) - columns}
        compared = columns - _DERIVED
        present = [{name: row[name] for name in compared} for row in stored]
        expected = [{name: row[name] for name in compared} for row in rows]
        result |= {f"{table}: {row}" for row in expected if row not in present}
    return result


def _rows(cursor: Any, table: str) -> Iterator[dict[str, str]]:
    cursor.execute(f"SELECT * FROM {database.ops.quote_name(table)} ORDER BY 1")  # noqa: S608
    columns = [column[0] for column in cursor.description]
    for row in cursor.fetchall():
        yield {name: str(value) for name, value in zip(columns, row, strict=True)}


def _executor() -> MigrationExecutor:
    """Runs the migrations of then, and not those that replace them."""
    executor = MigrationExecutor(database)
    executor.loader = MigrationLoader(database, replace_migrations=False)
    return executor


def targets(executor: MigrationExecutor, release: str) -> list[tuple[str, str]]:
    """Apps that are not the portal's stand as this program brings them."""
    leaves = [leaf for leaf in executor.loader.graph.leaf_nodes() if leaf[0] not in _OURS]
    return [*RELEASES[release].items(), *leaves]


def _is_ours(model: Any) -> bool:
    return model._meta.app_label in _OURS


def _sorted(then: Any) -> list[Any]:
    """Models behind those that they refer to."""
    left = [model for model in then.get_models() if _is_ours(model)]
    left = [model for model in left if model.__name__ not in {"AuditEntry", "AuditHead"}]
    found: list[Any] = []
    while left:
        for model in left:
            needs = {field.related_model for field in model._meta.concrete_fields} - {None, model}
            if not needs & set(left):
                break
        else:
            raise AssertionError(f"these refer to each other: {left}")
        found.append(model)
        left.remove(model)
    return found


def _value(then: Any, model: Any, field: Any, number: int) -> Any:
    if field.name in _REFUSED_VALUES and field.null:
        return _REFUSED_VALUES[field.name]
    if field.name.startswith("sealed"):
        return seal(f"{SECRET} {number}")
    if isinstance(field, models.ForeignKey):
        if field.related_model is model:
            return None
        rows = [*field.related_model._default_manager.order_by("pk").values_list("pk", flat=True)]
        if not rows and field.null:
            return None
        return rows[-1] if isinstance(field, models.OneToOneField) else rows[number % len(rows)]
    if field.choices:
        values = [value for value, _words in field.choices]
        return values[number % len(values)]
    return _plain(field, number)


def _plain(field: Any, number: int) -> Any:
    if isinstance(field, models.JSONField):
        return field.get_default() if field.has_default() else {"number": number}
    for kind, value in {
        models.BooleanField: bool(number % 2),
        models.DateTimeField: _BEGAN + timedelta(hours=number),
        models.DateField: date(2026, 11, 1) + timedelta(days=number),
        models.FloatField: number + 0.5,
        models.DecimalField: number,
        models.IntegerField: number + 1,
        models.UUIDField: UUID(int=number),
        models.DurationField: timedelta(minutes=number),
        models.BinaryField: b"bytes",
        models.EmailField: f"somebody.{number}@example.com",
    }.items():
        if isinstance(field, kind):
            return value
    if isinstance(field, models.CharField | models.TextField):
        text = f"{number} {field.name} Zoë"
        return text[: field.max_length]
    raise AssertionError(f"no value for {field}")


def write_trail(then: Any) -> None:
    """A sign-in, and a write with its end, chained to what there is and sealed."""
    entry, head = then.get_model("access", "AuditEntry"), then.get_model("access", "AuditHead")
    end, _created = head.objects.get_or_create(pk=1)
    user = then.get_model("access", "User").objects.order_by("pk").first()
    begun = None
    for operation in ("session.begin", "users.update", "users.update"):
        of_user = operation == "users.update"
        end.count += 1
        made = entry(
            sequence=end.count,
            time=_BEGAN + timedelta(minutes=end.count),
            actor=user,
            email=user.email,
            ip="192.0.2.7",
            operation=operation,
            connection_key=CONNECTION if of_user else "",
            family="users" if of_user else "session",
            object_id="u-1" if of_user else "",
            object_label="Zoë" if of_user else "",
            sent={"dept": "Sales"} if of_user else None,
            before={"dept": "Büro"} if of_user else None,
            outcome="begun" if of_user and begun is None else "done",
            intent=begun,
        )
        begun = made if of_user else None
        made.hash = end.last_hash = _mac(f"{end.last_hash}\n{_canonical(_fields(made))}")
        made.save()
    end.seal = _mac(f"end {end.count} {end.last_hash}")
    end.save()


def _fields(made: Any) -> dict[str, Any]:
    values = {
        field.attname: getattr(made, field.attname)
        for field in made._meta.concrete_fields
        if field.attname != "hash" and (field.attname not in _ADDED or getattr(made, field.attname))
    }
    return values | {"time": made.time.isoformat()}


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _mac(text: str) -> str:
    return hmac.new(settings.AUDIT_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()
