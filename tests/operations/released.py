"""A database as the released program has it, with rows in every table.

The rows are written through the models that the migrations of then describe, and the audit trail is
sealed as it was then: whatever the program does today, it has to read that.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.apps import apps as installed
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, connection as database, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from portal.access.tokens import seal
from tests.support.deployment import Whole

# The last migrations of the release. A later release replaces them by its own.
RELEASED = {
    "access": "0003_compliance_role",
    "conferencing_account": "0001_baselines",
    "dashboards": "0006_leased_snapshot",
    "directory": "0001_initial",
    "jobs": "0005_waiting_by_itself",
    "mirror": "0013_busy",
    "people": "0001_seats",
    "planned_sessions": "0006_notified_at",
    "recordings": "0006_storage_reading",
    "reports": "0002_saved",
    "ui": "0003_kept_table",
}
CONNECTION = "rlsdconn"
JOB = "rlsd-job"
SECRET = "a secret of the release"
_EACH = 2  # rows of each table
_BEGAN = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)
# What the program of then would not have stored.
_REFUSED_VALUES = {"lease": None, "leased_until": None, "next_at": datetime(2099, 1, 1, tzinfo=UTC)}
_FILL = "from tests.operations.released import fill; fill(*sys.argv[1:])"


class Released(Whole):
    """A portal whose database is the released one; `manage("migrate")` brings it up to date."""

    def _prepare(self) -> str:
        self.script(_FILL, self.email, self.password, self.sandbox.url, self.sandbox.token)
        return CONNECTION


def models_of_then() -> Any:
    """The models as the released migrations describe them."""
    return MigrationExecutor(database).loader.project_state(_targets()).apps


def fill(email: str, password: str, url: str, token: str) -> None:
    """Makes the released tables, and rows in each."""
    MigrationExecutor(database).migrate(_targets())
    then = models_of_then()
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
        assert write_row_in_each_table(then, number) == []
    write_trail(then)


def write_row_in_each_table(then: Any, number: int) -> list[str]:
    """Of each model of the portal's, but for the trail, whose rows are chained. Returns those that
    the database refuses."""
    refused = []
    for model in _sorted(then):
        values = {
            field.attname: _value(then, model, field, number)
            for field in model._meta.concrete_fields
            if not field.primary_key or isinstance(field, models.OneToOneField)
        }
        try:
            with transaction.atomic():
                model.objects.create(**values)
        except IntegrityError:
            refused.append(model._meta.label)
    return refused


def write_job(emails: list[str]) -> None:
    """A job that runs: these people are to be deactivated."""
    then = models_of_then()
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


def dump() -> dict[str, list[dict[str, str]]]:
    """Every row of the portal's tables as text, in the order of their keys."""
    names = {model._meta.db_table for model in installed.get_models() if _is_ours(model)}
    names |= {model._meta.db_table for model in models_of_then().get_models() if _is_ours(model)}
    with database.cursor() as cursor:
        there = names & set(database.introspection.table_names(cursor))
        return {name: [*_rows(cursor, name)] for name in sorted(there)}


def _rows(cursor: Any, table: str) -> Iterator[dict[str, str]]:
    cursor.execute(f"SELECT * FROM {database.ops.quote_name(table)} ORDER BY 1")  # noqa: S608
    columns = [column[0] for column in cursor.description]
    for row in cursor.fetchall():
        yield {name: str(value) for name, value in zip(columns, row, strict=True)}


def _targets() -> list[tuple[str, str]]:
    """Apps that are not the portal's stand as this program brings them."""
    leaves = MigrationExecutor(database).loader.graph.leaf_nodes()
    ours = {config.label for config in installed.get_app_configs() if config.name[:7] == "portal."}
    return [*RELEASED.items(), *(leaf for leaf in leaves if leaf[0] not in ours)]


def _is_ours(model: Any) -> bool:
    return model._meta.app_label in RELEASED


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
    if field.name in _REFUSED_VALUES:
        return _REFUSED_VALUES[field.name]
    if field.name.startswith("sealed"):
        return seal(f"{SECRET} {number}")
    if isinstance(field, models.ForeignKey):
        if field.related_model is model:
            return None
        rows = [*field.related_model.objects.order_by("pk").values_list("pk", flat=True)]
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
        if field.attname != "hash"
    }
    return values | {"time": made.time.isoformat()}


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _mac(text: str) -> str:
    return hmac.new(settings.AUDIT_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()
