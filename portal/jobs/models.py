"""A job, its items and its file, as they are stored."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Value
from django.urls import reverse
from django.utils import translation
from django.utils.functional import cached_property
from django.utils.translation import get_language

from portal.access import tokens
from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.access.models.connection import SealedText, new_key
from portal.access.scope import Scope
from portal.config import clock
from portal.connections import rate_limits
from portal.contract.model import JsonDict
from portal.translation import gettext_lazy
from portal.translation.phrases import Phrase, made_of, say
from portal.work.models import Leased, leases_index

WHAT = "\N{OBJECT REPLACEMENT CHARACTER}"  # stands for the count in a stored phrase
_LONGEST = 200
# The parameter of a job planned again: the objects of rows left out of the plan before.
LEFT_OUT = "left_out"
# The parameter of a job that restores what another one, of this key, has changed.
UNDOES = "takes_back"
# The parameter of such a job that restores some rows: their numbers.
ROWS = "rows"
# The parameter of a job that its owner has approved with what came before it.
APPROVED = "approved"
# The data of an item: how often it calls which operation, if that differs from row to row.
CALLS = "calls"
# The parameter with the primary keys of the users who set the job's actions, if others begin it.
SET_BY = "set_by"


@dataclass(frozen=True)
class JobTitle:
    """Title of an action on several objects: `say` puts it around `what`, such as 2 people. Both
    are called in each language."""

    say: Callable[[str], str]
    what: Callable[[], str]

    def __str__(self) -> str:
        return self.say(self.what())


def in_each_language(title: str | JobTitle) -> dict[str, dict[str, str]]:
    """Returns a title and its phrase by language; empty if they are the same in all languages."""
    titles: dict[str, dict[str, str]] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            titles[language] = {"title": str(title)[:_LONGEST]}
            if isinstance(title, JobTitle):
                titles[language]["phrase"] = title.say(WHAT)
    return titles if len({str(each) for each in titles.values()}) > 1 else {}


class JobState(models.TextChoices):
    """The state of a job. `unplannable`: its plan could not be made, `reason` says why; `awaiting`:
    its owner has approved it, and another administrator has to."""

    PLANNING = "planning", gettext_lazy("Preparing preview")
    PLANNED = "planned", gettext_lazy("Preview ready")
    UNPLANNABLE = "unplannable", gettext_lazy("Preview failed")
    AWAITING = "awaiting", gettext_lazy("Awaiting second approval")
    RUNNING = "running", gettext_lazy("Running")
    PAUSED = "paused", gettext_lazy("Paused")
    DONE = "done", gettext_lazy("Done")
    CANCELLED = "cancelled", gettext_lazy("Cancelled")


class ItemState(models.TextChoices):
    """The state of an item. The last three are never sent; `left_out` was by a person."""

    PENDING = "pending", gettext_lazy("Pending")
    SENDING = "sending", gettext_lazy("In progress")
    DONE = "done", gettext_lazy("Done")
    FAILED = "failed", gettext_lazy("Failed")
    UNKNOWN = "unknown", gettext_lazy("Outcome unknown")
    UNCHANGED = "unchanged", gettext_lazy("Unchanged")
    INVALID = "invalid", gettext_lazy("Has errors")
    LEFT_OUT = "left_out", gettext_lazy("Excluded")


WORKED_ON = (JobState.PLANNING, JobState.RUNNING)
NEVER_SENT = (ItemState.UNCHANGED, ItemState.INVALID, ItemState.LEFT_OUT)
OPEN = (*WORKED_ON, JobState.PLANNED, JobState.AWAITING, JobState.PAUSED)


# Items still to be sent or resolved, and items whose outcome only a person can decide.
OPEN_ITEMS = models.Q(state__in=(ItemState.PENDING, ItemState.SENDING)) | models.Q(
    state=ItemState.UNKNOWN, ended_at=None
)
UNRESOLVED_ITEMS = models.Q(state=ItemState.UNKNOWN, ended_at__isnull=False)


class Worded(models.Model):
    """Row with texts in the language of the job's owner. `words` has what those of the portal are
    made of, by text; those of the service, of users and of earlier releases are not in it."""

    words = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))

    class Meta:
        abstract = True

    def remember(self, *texts: object) -> None:
        """Adds to `words` what these texts are made of."""
        self.words = {**self.words, **made_of(texts)}

    def phrase(self, text: str) -> str:
        """Returns a text of this row as it was made, for another row."""
        return Phrase(text, self.words[text]) if text in self.words else text

    def read(self, text: str) -> str:
        """Returns a text of this row in the reader's language and time zone."""
        return say(self.words[text], text) if text in self.words else text


class Job(Worded, Leased):
    """Work on many objects of one connection, on behalf of its `owner`, who began it.

    `parameters` are the input of its job type, `notes` the remarks of its plan, as pairs of a tone
    (neutral, good, warning, bad) and words. `reason` says why the job is paused or could not be
    planned, `trouble` is the failure of the service that the job waits for until `waits_until`. A
    job paused because it was `signed_out` continues after new credentials. `rate` is in items per
    second, `pace` the requests per second that the service allows, `openings` the count of openings
    of the circuit breaker since the service was well. `expected`, `progress` and `activity` report
    the planning. The file of a job `from_file` is erased when it is planned: it cannot be planned
    twice. `approved_by` is the address of the other administrator who approved the job, if that was
    required; after `approval_holds_until` it is required again. `titles` has, by language, a title
    other than the `stored_title`, and the phrase around a count of rows.
    """

    key = models.CharField(max_length=8, unique=True, default=new_key, editable=False)
    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="jobs")
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=40)
    stored_title = models.CharField(max_length=200, db_column="title")
    titles = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))
    state = models.CharField(max_length=12, choices=JobState.choices, default=JobState.PLANNING)
    parameters = models.JSONField(default=dict)
    notes = models.JSONField(default=list)
    reason = models.TextField(blank=True)
    trouble = models.TextField(blank=True)
    signed_out = models.BooleanField(default=False, db_default=False)
    created_at = clock.StampField(auto_now_add=True)
    approved_at = models.DateTimeField(null=True)
    approved_by = models.CharField(max_length=254, blank=True, default="", db_default="")
    approval_holds_until = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    ip = models.CharField(max_length=45, blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    waits_until = models.DateTimeField(null=True)
    rate = models.FloatField(null=True)
    pace = models.FloatField(null=True)
    openings = models.PositiveIntegerField(default=0)
    expected = models.PositiveIntegerField(default=0)
    progress = models.PositiveIntegerField(default=0)
    activity = models.CharField(max_length=200, blank=True)
    from_file = models.BooleanField(default=False)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["connection", "-id"], name="job_connection"),
            models.Index(fields=["state", "leased_until"], name="job_wanted"),
            leases_index("job_leased"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("jobs:job", args=[self.connection.key, self.key])

    @property
    def title(self) -> str:
        """Returns the title in the reader's language."""
        words: str = self.titles.get(get_language(), {}).get("title") or self.stored_title
        return words

    @title.setter
    def title(self, words: str) -> None:
        self.stored_title = words

    @property
    def shown_notes(self) -> list[tuple[str, str]]:
        """Returns the notes in the reader's language."""
        return [(tone, self.read(words)) for tone, words in self.notes]

    @property
    def shown_reason(self) -> str:
        return self.read(self.reason)

    def titled(self, what: str) -> str:
        """Returns the title for `what`, such as 2 people; empty if no phrase is stored."""
        phrase: str = self.titles.get(get_language(), {}).get("phrase", "")
        return phrase.replace(WHAT, what)

    @property
    def origin(self) -> Origin:
        """Returns the owner, with the address and the request that began the job."""
        return Origin(self.owner, email=self.owner.email, ip=self.ip, request_id=self.request_id)

    @property
    def involved(self) -> frozenset[int]:
        """Returns the primary keys of the users who must not give the second approval: the owner,
        and the users who set the job's actions."""
        return frozenset({self.owner_id, *self.parameters.get(SET_BY, ())})

    @cached_property
    def scope(self) -> Scope:
        """Returns the owner's scope over the connection, as of its first use by a worker."""
        return scope_of(self.owner, self.connection)

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def is_worked_on(self) -> bool:
        """Returns whether a worker plans or runs the job, or is to."""
        return self.state in WORKED_ON

    @property
    def is_unattended(self) -> bool:
        """Returns whether the job waits for a worker, and has had none for 20 seconds."""
        if not self.is_worked_on:
            return False
        seen = self.leased_until or self.approved_at or self.created_at
        return seen < clock.now() - timedelta(seconds=20)


class JobItem(Worded):
    """One row of the work.

    `number` is its place, for a file the row as the sheet shows it. `action` is the type's word for
    the action, `object_id` the id of its object, once there is one. `changes` are triples of words:
    field, before, after. `problems` are pairs: a column or field, and words. `sealed` are secrets
    to send, encrypted, and erased at the end. `first_sent_at` is the time of the first request that
    the item depends on, `clock_ahead` the most seconds by which the clock of that time was ahead of
    the service's, if that was measured. Before `due_at` the item is neither sent nor resolved.
    `in_flight_until` is set once the outcome of a request is unknown: until then the request may
    still be under way, and a missing object may still appear.
    """

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=300)
    action = models.CharField(max_length=20, blank=True)
    object_id = models.CharField(max_length=300, blank=True)
    batch_key = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=10, choices=ItemState.choices, default=ItemState.PENDING)
    data = models.JSONField(default=dict)
    sealed = SealedText(blank=True)
    changes = models.JSONField(default=list)
    problems = models.JSONField(default=list)
    message = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    first_sent_at = models.DateTimeField(null=True)
    clock_ahead = models.FloatField(null=True)
    due_at = models.DateTimeField(null=True)
    in_flight_until = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number", "id"]
        indexes = [
            models.Index(fields=["job", "state", "number"], name="jobitem_state"),
            models.Index(fields=["job", "number"], name="jobitem_number"),
            # Counts by action and state are read from it alone.
            models.Index(fields=["job", "action", "state"], name="jobitem_action"),
        ]

    keeper: "Callable[[JobItem], None] | None" = None
    value: Any = None  # of its `Done`, which is not stored

    def __str__(self) -> str:
        return f"{self.number} {self.label}"

    @property
    def shown_label(self) -> str:
        """Returns the label in the reader's language; the others likewise."""
        return self.read(self.label)

    @property
    def shown_changes(self) -> list[tuple[str, str, str]]:
        return [
            (self.read(field), self.read(before), self.read(after))
            for field, before, after in self.changes
        ]

    @property
    def shown_problems(self) -> list[tuple[str, str]]:
        return [(self.read(field), self.read(words)) for field, words in self.problems]

    @property
    def shown_message(self) -> str:
        return self.read(self.message)

    def reached(self) -> None:
        """Stores `object_id` and `data`, and returns when they are committed: `carry_out` may
        repeat its next requests, but not those before."""
        if self.keeper:
            self.keeper(self)

    @property
    def sent_by_service_clock(self) -> datetime | None:
        """Returns the earliest time, by the service's clock, at which the first request may have
        left; None if that clock is unknown. Only this is compared with times of the service."""
        if self.first_sent_at is None:
            return None
        if self.clock_ahead is None:
            return rate_limits.earliest(self.job.connection.base_url, self.first_sent_at)
        return self.first_sent_at - timedelta(seconds=self.clock_ahead)

    @property
    def secret(self) -> JsonDict:
        """Returns the data that is sent but never shown; empty once the item has ended."""
        if not self.sealed:
            return {}
        result: dict[str, object] = json.loads(tokens.unseal(self.sealed).value)
        return result


class JobFile(models.Model):
    """The file of a job, encrypted; it is erased when the plan is made."""

    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="file")
    name = models.CharField(max_length=200)
    sealed = SealedText()

    def __str__(self) -> str:
        return self.name
