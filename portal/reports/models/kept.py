"""Stored rows of reports, so that history goes back further than the service does."""

from django.db import models

from portal.access.models import Connection


class KeptReport(models.Model):
    """One report of a connection. `source` is the name of a `Source`, `subject` what it is about:
    the id of a person or a session, or nothing."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    source = models.CharField(max_length=20)
    subject = models.CharField(max_length=250, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "source", "subject"], name="one_kept_report"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.subject}".strip()


class KeptWindow(models.Model):
    """Days of GMT that were read by one query, from `first` to `last`; a session has no days.

    While it is read, `is_whole` is not set, `reader` names who reads it, and nothing shows its
    rows. `reported` is how many rows the service said there are, `listed` how many it listed.
    `totals` are the sums that it gave, `failure` is why it refused these days.
    """

    report = models.ForeignKey(KeptReport, on_delete=models.CASCADE, related_name="windows")
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
        indexes = [models.Index(fields=["report", "is_whole", "first"], name="window_days")]

    def __str__(self) -> str:
        return f"{self.report}: {self.first} to {self.last}"


class KeptRow(models.Model):
    """A record as the service listed it; `key` stands for what identifies it.

    `day` is the day of GMT that it counts for, `moment` when it began, `search` what a search
    looks through.
    """

    window = models.ForeignKey(KeptWindow, on_delete=models.CASCADE, related_name="rows")
    key = models.CharField(max_length=32)
    day = models.DateField(null=True)
    moment = models.DateTimeField(null=True)
    search = models.TextField(blank=True)
    data = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["window", "key"], name="one_row_per_key"),
        ]
        indexes = [models.Index(fields=["window", "moment"], name="row_moment")]

    def __str__(self) -> str:
        return f"{self.window}: {self.key}"
