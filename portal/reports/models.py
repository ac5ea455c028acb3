"""Stored reports, and the reports that are sent on a schedule."""

from django.db import models

from portal.access.models import Connection, User
from portal.access.models.connection import new_key
from portal.config import clock
from portal.jobs.models import Job
from portal.reports.windows import Span
from portal.translation import gettext_lazy
from portal.work.models import DueRow, Leased, leases_index


class StoredReport(models.Model):
    """One report of a connection. `source` is the name of a `ReportSource`, `subject` the id of a
    person or a session, or empty."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    source = models.CharField(max_length=20)
    subject = models.CharField(max_length=250, blank=True)

    class Meta:
        db_table = "reports_keptreport"
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "source", "subject"], name="one_kept_report"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.subject}".strip()


class StoredWindow(models.Model):
    """Days of GMT that were read by one query, from `first` to `last`; a session has no days.

    While it is read, `is_whole` is not set, `reader` names its reader, and no page shows its rows.
    `reported` is the number of rows by the service's count, `listed` the number that it listed.
    `totals` mark a session that is final, `failure` is why it refused these days.
    """

    report = models.ForeignKey(StoredReport, on_delete=models.CASCADE, related_name="windows")
    first = models.DateField(null=True)
    last = models.DateField(null=True)
    read_at = models.DateTimeField()
    reader = models.CharField(max_length=40)
    is_whole = models.BooleanField(default=False)
    reported = models.PositiveIntegerField(null=True)
    listed = models.PositiveIntegerField(default=0)
    totals = models.JSONField(default=dict)
    failure = models.TextField(blank=True)

    class Meta:
        db_table = "reports_keptwindow"
        indexes = [models.Index(fields=["report", "is_whole", "first"], name="window_days")]

    def __str__(self) -> str:
        return f"{self.report}: {self.first} to {self.last}"

    @property
    def span(self) -> Span | None:
        return Span(self.first, self.last) if self.first and self.last else None

    @property
    def is_short(self) -> bool:
        """Returns whether the service listed fewer rows than it reported."""
        return self.reported is not None and self.listed < self.reported


class StoredRow(models.Model):
    """A record as the service listed it; `key` is a digest of what identifies it.

    `day` is the day of GMT that it counts for, `moment` its beginning, `search` the text that
    searches match.
    """

    window = models.ForeignKey(StoredWindow, on_delete=models.CASCADE, related_name="rows")
    key = models.CharField(max_length=32)
    day = models.DateField(null=True)
    moment = models.DateTimeField(null=True)
    search = models.TextField(blank=True)
    data = models.JSONField()

    class Meta:
        db_table = "reports_keptrow"
        constraints = [
            models.UniqueConstraint(fields=["window", "key"], name="one_row_per_key"),
        ]
        indexes = [models.Index(fields=["window", "moment"], name="row_moment")]

    def __str__(self) -> str:
        return f"{self.window}: {self.key}"


# The names of `portal.reports.definitions.REPORTS`, which only pages and due reports load.
SLUGS = ("daily", "hosts", "inactive", "person", "telephone", "storage")


class Frequency(models.TextChoices):
    DAILY = "daily", gettext_lazy("Every day, about the day before")
    WEEKLY = "weekly", gettext_lazy("Every week, about the seven days before")
    LAST_MONTH = "last-month", gettext_lazy("Every week, about the month before")
    MONTHLY = "monthly", gettext_lazy("Every month, about the month before")


ON_A_WEEKDAY = (Frequency.WEEKLY, Frequency.LAST_MONTH)


class FileKind(models.TextChoices):
    CSV = "csv", "CSV"
    XLSX = "xlsx", gettext_lazy("Excel")


class SavedReport(DueRow):
    """A report with its filters, sent to its owner, and to the `recipients`, at an hour of the
    owner's zone.

    `slug` names a report of `definitions`, `subject` is the id of its person, if any. `weekday` is
    from 0, Monday, `day` one of the month, of a shorter month the last. `next_at` is when it is
    due.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    slug = models.CharField(max_length=20)
    subject = models.CharField(max_length=250, blank=True)
    query = models.TextField(blank=True)
    frequency = models.CharField(max_length=10, choices=Frequency.choices)
    weekday = models.PositiveSmallIntegerField(default=0)
    day = models.PositiveSmallIntegerField(default=1)
    hour = models.PositiveSmallIntegerField(default=7)
    zone = models.CharField(max_length=64, default="UTC")
    file = models.CharField(max_length=4, choices=FileKind.choices, default=FileKind.XLSX)
    recipients = models.ManyToManyField(User, related_name="+", blank=True)
    next_at = models.DateTimeField()
    created_at = clock.StampField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        indexes = [models.Index(fields=["next_at"], name="report_due")]

    def __str__(self) -> str:
        return self.name


class RunState(models.TextChoices):
    WAITING = "waiting", gettext_lazy("Loading")
    SENT = "sent", gettext_lazy("Sent")
    FAILED = "failed", gettext_lazy("Failed")


class ReportRun(Leased):
    """One time at which a saved report was due: the days from `first` to `last`.

    `reason` is why it failed, or what is missing. With `is_linked` its mail had no file but
    the address of it. `mailed_at` is when the mail was sent, also that of a failure.
    """

    key = models.CharField(max_length=8, unique=True, default=new_key, editable=False)
    saved = models.ForeignKey(SavedReport, on_delete=models.CASCADE, related_name="runs")
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=8, choices=RunState.choices, default=RunState.WAITING)
    first = models.DateField()
    last = models.DateField()
    rows = models.PositiveIntegerField(null=True)
    reason = models.TextField(blank=True)
    is_linked = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["created_at"], condition=models.Q(mailed_at=None), name="report_to_send"
            ),
            leases_index("report_leased"),
        ]

    def __str__(self) -> str:
        return f"{self.saved}: {self.first} to {self.last}"
