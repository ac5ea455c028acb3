"""Reports that people save, when they are sent, and what became of each time."""

from django.db import models

from portal.access.models import Connection, User
from portal.access.models.connection import new_key
from portal.config import clock
from portal.jobs.models import Job
from portal.translation import gettext_lazy
from portal.work.models import Leased, leases_index


class Frequency(models.TextChoices):
    DAILY = "daily", gettext_lazy("Every day, about the day before")
    WEEKLY = "weekly", gettext_lazy("Every week, about the seven days before")
    MONTHLY = "monthly", gettext_lazy("Every month, about the month before")


class FileKind(models.TextChoices):
    CSV = "csv", "CSV"
    XLSX = "xlsx", gettext_lazy("Excel")


class SavedReport(Leased):
    """A report with its filters, sent to its owner, and to the `recipients`, at an hour of the
    owner's zone.

    `slug` names a report of `definitions`, `subject` whom it is about. `weekday` is from 0, Monday,
    `day` one of the month, of a shorter month the last. `next_at` is when it is due.
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
    """One time that a saved report was due: the days from `first` to `last`.

    `reason` is why it failed, or what could not be had. With `is_linked` its mail had no file but
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
