"""The audit trail as it is stored: rows that are only ever added, chained by their hashes."""

from typing import Any, ClassVar, Never

from django.conf import settings
from django.db import models

from portal.access.roles import Role
from portal.config.canonical_json import CanonicalJson
from portal.translation import gettext_lazy

FIRST_CHAIN = 1
NUMBERS = "access_auditentry_number"  # a sequence of PostgreSQL


class Outcome(models.TextChoices):
    """The end of a change. `begun` stands before a call; its end is an entry of its own."""

    BEGUN = "begun", gettext_lazy("Outcome unknown")
    DONE = "done", gettext_lazy("Done")
    FAILED = "failed", gettext_lazy("Failed")
    UNKNOWN = "unknown", gettext_lazy("Outcome unknown")


class AppendOnly(Exception):
    """An attempt to change or delete an audit entry."""

    def __init__(self) -> None:
        words = "Audit entries are only ever added."  # untranslated: for developers
        super().__init__(words)


class AppendOnlyQuerySet(models.QuerySet["AuditEntry"]):
    def update(self, **_values: object) -> Never:
        raise AppendOnly

    def delete(self) -> Never:
        raise AppendOnly

    def bulk_update(self, *_args: object, **_kwargs: object) -> Never:
        raise AppendOnly

    def bulk_create(self, *_args: object, **_kwargs: object) -> Never:
        raise AppendOnly


class AuditEntry(models.Model):
    """One action, or the end of one (`intent` then names the beginning).

    `family` and `object_id` name its object: a person for all that is done to a person. The end of
    a creation names the created object. `sent` and `before` are masked. `approved_by` is the
    address of the other administrator who approved it, if that was needed, `elevated_to`
    the role that the actor had for some hours alone, and `undoes` the earlier entry that this one
    undoes. `seen` has the numbers of entries of other chains that were the last ones then.
    """

    sequence = models.BigIntegerField(primary_key=True)
    time = models.DateTimeField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    email = models.CharField(max_length=254, blank=True)
    ip = models.CharField(max_length=45, blank=True)
    connection_key = models.CharField(max_length=8, blank=True)
    connection_name = models.CharField(max_length=60, blank=True)
    operation = models.CharField(max_length=60)
    path = models.TextField(blank=True)
    family = models.CharField(max_length=40, blank=True)
    object_id = models.CharField(max_length=300, blank=True)
    object_label = models.CharField(max_length=300, blank=True)
    sent = CanonicalJson(null=True)
    before = CanonicalJson(null=True)
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    status = models.PositiveSmallIntegerField(null=True)
    message = models.TextField(blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    intent = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="answer"
    )
    # The database knows the default: until it is replaced, the program before goes on to write.
    approved_by = models.CharField(max_length=254, blank=True, default="", db_default="")
    elevated_to = models.CharField(
        max_length=16, blank=True, choices=Role.choices, default="", db_default=""
    )
    undoes = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="undoings")
    chain = models.PositiveSmallIntegerField(default=FIRST_CHAIN, db_default=FIRST_CHAIN)
    seen = models.CharField(max_length=200, blank=True, default="", db_default="")
    hash = models.CharField(max_length=64)

    objects: ClassVar[models.Manager["AuditEntry"]] = models.Manager.from_queryset(
        AppendOnlyQuerySet
    )()

    # Why a guard forbids it, in the actor's language; `message` has the same in English.
    refusal = ""

    class Meta:
        db_table = "access_auditentry"  # of the app that the trail was in at first
        ordering = ["-sequence"]
        indexes = [
            models.Index(fields=["connection_key", "family", "object_id"], name="audit_object"),
            models.Index(fields=["actor", "time"], name="audit_actor"),
            models.Index(fields=["time"], name="audit_time"),
        ]

    def __str__(self) -> str:
        return f"{self.sequence} {self.operation}"

    def save(self, *args: object, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnly
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *_args: object, **_kwargs: object) -> Never:
        raise AppendOnly


class AuditHead(models.Model):
    """The end of a chain: the number and the hash of its last entry.

    `seen` has the last entries of other chains that the entries of this one name. It is NULL while
    there is one chain alone.
    """

    COLUMNS = ("id", "count", "last_hash", "seen", "seal")

    count = models.BigIntegerField(default=0)
    last_hash = models.CharField(max_length=64, blank=True)
    seen = models.CharField(max_length=200, null=True)  # noqa: DJ001 - not the same as empty
    seal = models.CharField(max_length=64, blank=True)

    class Meta:
        db_table = "access_audithead"

    def __str__(self) -> str:
        return f"chain {self.pk} up to {self.count}"  # untranslated: for developers
