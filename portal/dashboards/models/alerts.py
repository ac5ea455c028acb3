"""Rules by which somebody is alerted to what is live, and the alerts that came of them."""

from django.db import models

from portal.access.models import Connection


class AlertKind(models.TextChoices):
    """What a rule watches; its threshold is a number of participants, of per cent, of minutes.

    `PEOPLE` sets participants of live sessions against the active people who have a licence.
    """

    PARTICIPANTS = "participants", "A session has more participants than"
    PEOPLE = "people", "Participants, of licensed people, are more than (%)"
    ROOM = "room", "A conference room is offline for longer than (minutes)"
    LOSS = "loss", "A participant's packet loss is over (%)"


def in_minutes(number: int) -> str:
    return f"{number:,} minute{'' if number == 1 else 's'}"


_SAID: dict[str, str] = {
    AlertKind.PARTICIPANTS: "A session has more participants than {0:,}",
    AlertKind.PEOPLE: "Participants are over {0} % of licensed people",
    AlertKind.ROOM: "A conference room is offline for longer than {0:,} minutes",
    AlertKind.LOSS: "A participant's packet loss is over {0} % for {1}",
}


class AlertRule(models.Model):
    """`minutes` is for how long packet loss lasts. `mails` says whether the owner of the connection
    gets a mail."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField("when", max_length=20, choices=AlertKind.choices)
    threshold = models.PositiveIntegerField("threshold")
    minutes = models.PositiveSmallIntegerField("for minutes", blank=True, default=0)
    mails = models.BooleanField("send mail", default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "kind", "threshold", "minutes"],
                name="one_rule_per_threshold",
            )
        ]

    def __str__(self) -> str:
        return _SAID[self.kind].format(self.threshold, in_minutes(self.minutes))


class Alert(models.Model):
    """That a rule's condition held for one `subject`: a session, a room, or the account.

    It is raised when the condition has held for as long as the rule says. `notified_at` is when the
    mail was handed over, once. It is over with `ended_at`.
    """

    rule = models.ForeignKey(AlertRule, on_delete=models.CASCADE, related_name="alerts")
    subject = models.CharField(max_length=64)
    words = models.TextField()
    began_at = models.DateTimeField()
    raised_at = models.DateTimeField(null=True)
    notified_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rule", "subject"],
                condition=models.Q(ended_at=None),
                name="one_open_alert_per_subject",
            )
        ]
        indexes = [models.Index(fields=["rule", "raised_at"])]

    def __str__(self) -> str:
        return self.words
