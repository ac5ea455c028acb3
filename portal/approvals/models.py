"""A request for another administrator's approval, as it is stored."""

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import get_language

from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.access.models.connection import SealedText, new_key
from portal.approvals import answers
from portal.audit.acts import title
from portal.audit.models import AuditEntry
from portal.config import clock
from portal.config.canonical_json import CanonicalJson
from portal.translation import gettext as _, gettext_lazy, pgettext_lazy
from portal.work.models import Leased, leases_index


class RequestKind(models.TextChoices):
    """Kind of subject that is to be approved."""

    CALL = "call", pgettext_lazy("noun", "Change")
    JOB = "job", gettext_lazy("Job")
    RULE = "rule", gettext_lazy("Approval rules")


class RequestState(models.TextChoices):
    """State of a request. A draft is visible only to the person who is about to ask."""

    DRAFT = "draft", gettext_lazy("Not sent")
    WAITING = "waiting", gettext_lazy("Awaiting approval")
    APPROVED = "approved", gettext_lazy("Approved")
    SENDING = "sending", gettext_lazy("In progress")
    DONE = "done", gettext_lazy("Carried out")
    FAILED = "failed", gettext_lazy("Failed")
    UNKNOWN = "unknown", gettext_lazy("Outcome unknown")
    DECLINED = "declined", gettext_lazy("Declined")
    LAPSED = "lapsed", gettext_lazy("Lapsed")
    WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")


class Mail(models.TextChoices):
    """The mail that is still to be sent: to those who may approve, or to who asked."""

    NONE = "", gettext_lazy("None")
    ASKED = "asked", gettext_lazy("Asked")
    ENDED = "ended", gettext_lazy("Ended")


UNDER_WAY = (RequestState.APPROVED, RequestState.SENDING)
OPEN = (RequestState.WAITING, *UNDER_WAY)


class ApprovalRequest(Leased):
    """A change that waits for another administrator's approval.

    `title` names it, `family`, `object_id` and `object_label` its object, as the audit trail has
    them; so do `sent` and `before`, without secrets. Of a call `sealed` is the whole, encrypted,
    and erased at the end, `loss` what goes with it, and `shown` the text of its page, by language.
    `subject` is the key of a job, `seen` the version of its plan that was shown. `digest` tells the
    same call by the same user from another one. `undoes` is the entry of the audit trail that a
    call undoes. `reason` is that of the requester; `answer` says why it was declined, or what
    became of it. It can be approved until `lapses_at`; an approved one is carried out until
    `holds_until`.
    """

    key = models.CharField(max_length=8, unique=True, default=new_key, editable=False)
    connection = models.ForeignKey(
        Connection, on_delete=models.CASCADE, related_name="approval_requests"
    )
    requester = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=8, choices=RequestKind.choices)
    state = models.CharField(
        max_length=10, choices=RequestState.choices, default=RequestState.DRAFT
    )
    operation = models.CharField(max_length=60, blank=True)
    title = models.CharField(max_length=200)
    path = models.TextField(blank=True)
    family = models.CharField(max_length=40, blank=True)
    object_id = models.CharField(max_length=300, blank=True)
    object_label = models.CharField(max_length=300, blank=True)
    sent = CanonicalJson(null=True)
    before = CanonicalJson(null=True)
    loss: Any = CanonicalJson(null=True)
    shown: Any = CanonicalJson(null=True)
    sealed = SealedText(blank=True)
    digest = models.CharField(max_length=64, blank=True)
    undoes = models.ForeignKey(AuditEntry, on_delete=models.PROTECT, null=True, related_name="+")
    subject = models.CharField(max_length=8, blank=True)
    seen = models.CharField(max_length=60, blank=True)
    reason = models.TextField(blank=True)
    answer = models.TextField(blank=True)
    approver = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = clock.StampField(auto_now_add=True)
    asked_at = models.DateTimeField(null=True)
    lapses_at = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)
    holds_until = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    mail = models.CharField(max_length=8, choices=Mail.choices, default=Mail.NONE, blank=True)
    ip = models.CharField(max_length=45, blank=True)
    request_id = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["connection", "state", "-id"], name="approval_connection"),
            models.Index(fields=["state"], name="approval_state"),
            models.Index(fields=["mail"], name="approval_mail"),
            leases_index("approval_leased"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "requester", "digest"],
                condition=Q(state__in=["draft", "waiting", "approved", "sending"]) & ~Q(digest=""),
                name="approval_request_once",
            ),
            models.UniqueConstraint(
                fields=["subject"],
                condition=Q(state__in=["waiting", "approved", "sending"]) & ~Q(subject=""),
                name="approval_request_one_a_job",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("approvals:request", args=[self.connection.key, self.key])

    @property
    def origin(self) -> Origin:
        """Returns the person, address and request from which it was asked."""
        return Origin(
            self.requester, email=self.requester.email, ip=self.ip, request_id=self.request_id
        )

    @property
    def begun_at(self) -> datetime:
        """Returns when it was asked for; of a draft, when it was made."""
        return self.asked_at or self.created_at or clock.now()

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def state_in_words(self) -> str:
        """Returns the state in words. An approved subject that is no call is not carried out by the
        request."""
        if self.state == RequestState.DONE and self.kind != RequestKind.CALL:
            return str(RequestState.APPROVED.label)
        return str(RequestState(self.state).label)

    @property
    def title_in_words(self) -> str:
        """Returns the title in the reader's language."""
        if self.kind == RequestKind.RULE:
            return _("Change the approval rules")
        if self.kind == RequestKind.JOB:
            return next(iter(self.seen_in_words), self.title)
        title_now = title(self.operation)
        return title_now if title_now != self.operation else self.title

    @property
    def subject_in_words(self) -> str:
        """The title, and of a single call what it is about."""
        about = self.object_label if self.kind == RequestKind.CALL else ""
        return ": ".join(filter(None, (self.title_in_words, about)))

    @property
    def answer_in_words(self) -> str:
        """Returns the answer in the reader's language."""
        return answers.shown(self.answer)

    @property
    def seen_in_words(self) -> list[str]:
        """Returns what the page of the change showed to the requester."""
        words: list[str] = (self.shown or {}).get(get_language(), [])
        return words

    @property
    def object_in_words(self) -> str:
        return self.object_label or self.object_id
