"""Rows that copy what the service lists, and the state of each list."""

from datetime import timedelta
from functools import cache
from hashlib import blake2b
from typing import Any, ClassVar

from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Statement
from django.db.models import F

from portal.access.models import Connection
from portal.config import clock
from portal.mirror import values
from portal.work.models import Leased

VIEWED_WITHIN = timedelta(days=1)
VIEWS_RECORDED_EVERY = timedelta(minutes=10)
STUCK_AFTER = timedelta(seconds=20)
BUDGET = 0.5  # of the time, for the reading of a connection's viewed lists


class MirroredRow(models.Model):
    """One thing as the last refresh, or the last single read, reported it.

    `KEY` names the fields by which a connection's rows are distinguished. `fingerprint` sums up
    what was reported, so that a refresh writes only what is new. `touched_at` is the time of a
    single read: a refresh that began before it knows less.
    """

    KEY: ClassVar[tuple[str, ...]]

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    fingerprint = models.CharField(max_length=32, default="", editable=False)
    touched_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(getattr(self, name) for name in self.KEY)

    def stamp(self) -> None:
        """Sums up what this row contains."""
        data = repr([getattr(self, name) for name in service_fields(type(self))])
        self.fingerprint = blake2b(data.encode(errors="replace"), digest_size=16).hexdigest()


@cache
def service_fields(model: type[MirroredRow]) -> list[str]:
    """Returns the fields with reported values, without those that every mirrored row has."""
    shared = {field.name for field in MirroredRow._meta.fields}
    return [
        field.name
        for field in model._meta.concrete_fields
        if field.name not in shared and not field.primary_key
    ]


class UnsetFirst(models.Index):
    """An index over a connection's rows, sorted by a field that may be unset, unset ones first.

    SQLite sorts them first by itself, and takes no index that says so; PostgreSQL would sort them
    last, and could not use the index.
    """

    def create_sql(
        self,
        model: type[models.Model],
        schema_editor: BaseDatabaseSchemaEditor,
        using: str = "",
        **options: object,
    ) -> Statement:
        if schema_editor.connection.vendor != "postgresql":
            return super().create_sql(model, schema_editor, using, **options)
        first, by, *rest = self.fields
        sorted_by: list[Any] = [F(first), F(by).asc(nulls_first=True), *map(F, rest)]
        return models.Index(*sorted_by, name=self.name).create_sql(model, schema_editor, using)


class MirrorState(Leased):
    """The freshness of a connection's copy of one list; `kind` is a name of
    `portal.mirror.mirrored_list`.

    `took` are the seconds of the last reading of the whole list.
    `requested_at` says since (or from) when a refresh is wanted; it is leased while a
    worker reads. `notes` are what the last reading found odd, a line each. `run` numbers the
    readings, `version` the writes to the rows.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="mirrors")
    kind = models.CharField(max_length=20)
    refreshed_at = models.DateTimeField(null=True)
    requested_at = models.DateTimeField(null=True)
    viewed_at = models.DateTimeField(null=True)
    run = models.PositiveIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=0)
    read = models.PositiveIntegerField(default=0)
    expected = models.PositiveIntegerField(default=0)
    took = models.FloatField(default=0.0, db_default=0.0)
    failure = models.TextField(default="", blank=True)
    notes = models.TextField(blank=True, default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "kind"], name="one_state_per_mirror")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.connection}"

    @property
    def failure_in_words(self) -> str:
        """Returns the reason of the last failure, in the reader's language."""
        return values.shown(self.failure)

    @property
    def notes_in_words(self) -> str:
        """Returns what the last refresh found odd, in the reader's language."""
        return values.shown(self.notes)

    @property
    def is_running(self) -> bool:
        return self.leased_until is not None and self.leased_until > clock.now()

    @property
    def is_wanted(self) -> bool:
        """Returns whether a newer copy is on its way."""
        is_requested = self.requested_at is not None and self.requested_at <= clock.now()
        return is_requested or self.is_running

    @property
    def is_watched(self) -> bool:
        """Returns whether someone viewed the list lately."""
        return self.viewed_at is not None and self.viewed_at > clock.now() - VIEWED_WITHIN

    @property
    def is_view_due(self) -> bool:
        """Returns whether it is long enough ago that a view was noted."""
        return self.viewed_at is None or clock.now() - self.viewed_at > VIEWS_RECORDED_EVERY

    @property
    def is_stuck(self) -> bool:
        """Returns whether a refresh is wanted that no worker has taken up for a while."""
        if self.requested_at is None or self.is_running:
            return False
        return self.requested_at < clock.now() - STUCK_AFTER

    def is_older_than(self, age: timedelta) -> bool:
        return self.refreshed_at is None or self.refreshed_at < clock.now() - age

    def is_due(self, shortest: timedelta) -> bool:
        """Returns whether the copy is older than this, and than the budget of the connection
        allows: viewed lists have equal shares of it."""
        if not self.is_older_than(shortest):
            return False
        others = MirrorState.objects.filter(connection=self.connection_id).exclude(pk=self.pk)
        lists = 1 + others.filter(viewed_at__gt=clock.now() - VIEWED_WITHIN).count()
        return self.is_older_than(timedelta(seconds=self.took * lists / BUDGET))


class Removal(models.Model):
    """That one row of a mirror was removed, for a refresh that began before and has it on a page.

    `key` are the values of the row's `KEY`, one a line.
    """

    state = models.ForeignKey(MirrorState, on_delete=models.CASCADE, related_name="removals")
    key = models.TextField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["state", "key"], name="one_removal_per_row")]

    def __str__(self) -> str:
        return f"{self.key} at {self.at}"
