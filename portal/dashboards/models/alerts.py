"""Rules by which somebody is alerted to what is live, and the alerts that came of them."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import JSONField, Value

from portal.access.models import Connection
from portal.config import clock
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number


class AlertKind(models.TextChoices):
    """The figure that a rule watches; its threshold is a number of participants, per cent,
    milliseconds or minutes.

    `PEOPLE` sets participants of live sessions against the active people who have a licence.
    `QUALITY` is poor by the thresholds of the connection, and has none of its own.
    """

    PARTICIPANTS = "participants", gettext_lazy("A session has more participants than")
    PEOPLE = "people", gettext_lazy("Participants, of licensed people, are more than (%)")
    ROOM = "room", gettext_lazy("A conference room is offline for longer than (minutes)")
    LOSS = "loss", gettext_lazy("A participant's packet loss is over (%)")
    LATENCY = "latency", gettext_lazy("A participant's latency is over (ms)")
    JITTER = "jitter", gettext_lazy("A participant's jitter is over (ms)")
    QUALITY = "quality", gettext_lazy("A participant's quality is poor")


# What is watched of each participant.
OF_PEOPLE = (AlertKind.LOSS, AlertKind.LATENCY, AlertKind.JITTER, AlertKind.QUALITY)


class AlertRule(models.Model):
    """`minutes` is for how long it lasts, of a participant. `mails` says whether a mail is sent, to
    the `recipients`, or to the owner of the connection where none were chosen."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(gettext_lazy("when"), max_length=20, choices=AlertKind.choices)
    threshold = models.PositiveIntegerField(gettext_lazy("threshold"))
    minutes = models.PositiveSmallIntegerField(gettext_lazy("for minutes"), blank=True, default=0)
    mails = models.BooleanField(gettext_lazy("send mail"), default=True)
    recipients = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="+",
        blank=True,
    )
    created_at = clock.StampField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "kind", "threshold", "minutes"],
                name="one_rule_per_threshold",
            )
        ]

    def __str__(self) -> str:
        given = {"threshold": number(self.threshold), "minutes": number(self.minutes)}
        if self.kind == AlertKind.PARTICIPANTS:
            return _("A session has more participants than %(threshold)s") % given
        if self.kind == AlertKind.PEOPLE:
            return _("Participants are over %(threshold)s %% of licensed people") % given
        if self.kind == AlertKind.ROOM:
            words = _("A conference room is offline for longer than %(threshold)s minutes")
            return words % given
        return _of_participants(self.kind, self.minutes) % given


def _of_participants(kind: str, minutes: int) -> str:
    """Returns the words of a rule about the quality of a participant."""
    match kind:
        case AlertKind.LATENCY:
            return ngettext(
                "A participant's latency is over %(threshold)s ms for %(minutes)s minute",
                "A participant's latency is over %(threshold)s ms for %(minutes)s minutes",
                minutes,
            )
        case AlertKind.JITTER:
            return ngettext(
                "A participant's jitter is over %(threshold)s ms for %(minutes)s minute",
                "A participant's jitter is over %(threshold)s ms for %(minutes)s minutes",
                minutes,
            )
        case AlertKind.QUALITY:
            return ngettext(
                "A participant's quality is poor for %(minutes)s minute",
                "A participant's quality is poor for %(minutes)s minutes",
                minutes,
            )
    return ngettext(
        "A participant's packet loss is over %(threshold)s %% for %(minutes)s minute",
        "A participant's packet loss is over %(threshold)s %% for %(minutes)s minutes",
        minutes,
    )


class Alert(models.Model):
    """That a rule's condition held for one `subject`: a session, a room, or the account.

    It is raised when the condition has held for as long as the rule says. `notified_at` is when the
    mail was written, once. It is over with `ended_at`. `facts` are what `alert_in_words` says
    in the language of whoever reads it; `words` are the same as the portal itself speaks, and all
    that there is of alerts from before there were facts.
    """

    rule = models.ForeignKey(AlertRule, on_delete=models.CASCADE, related_name="alerts")
    subject = models.CharField(max_length=64)
    words = models.TextField()
    facts = models.JSONField(default=dict, db_default=Value({}, JSONField()))
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
        return alert_in_words(self.facts) or self.words


def alert_in_words(facts: Mapping[str, Any]) -> str:
    """An alert by its `kind` and the rule's `threshold`, in the reader's language; empty where
    there are no facts.

    Those of participants and of rooms have a `name`, those of people how many are `there` and
    `licensed`, those of quality the `name`, where they are (`session`), and the rule's `minutes`.
    """
    given = {
        key: number(value) if isinstance(value, int) else value for key, value in facts.items()
    }
    match facts.get("kind"):
        case AlertKind.PARTICIPANTS:
            return _("“%(name)s” has over %(threshold)s participants") % given
        case AlertKind.PEOPLE:
            words = _(
                "Participants are over %(threshold)s %% of licensed people:"
                " %(there)s of %(licensed)s"
            )
            return words % given
        case AlertKind.ROOM:
            return _("Room “%(name)s” is offline for over %(threshold)s minutes") % given
        case AlertKind.LOSS | AlertKind.LATENCY | AlertKind.JITTER | AlertKind.QUALITY:
            words = _of_participant(facts["kind"], facts["minutes"])
            return words % {**given, "name": facts["name"] or _("A participant")}
    return ""


def _of_participant(kind: str, minutes: int) -> str:
    """Returns the words of an alert about the quality of a participant."""
    match kind:
        case AlertKind.LATENCY:
            return ngettext(
                "%(name)s in “%(session)s” has a latency over %(threshold)s ms"
                " for %(minutes)s minute",
                "%(name)s in “%(session)s” has a latency over %(threshold)s ms"
                " for %(minutes)s minutes",
                minutes,
            )
        case AlertKind.JITTER:
            return ngettext(
                "%(name)s in “%(session)s” has a jitter over %(threshold)s ms"
                " for %(minutes)s minute",
                "%(name)s in “%(session)s” has a jitter over %(threshold)s ms"
                " for %(minutes)s minutes",
                minutes,
            )
        case AlertKind.QUALITY:
            return ngettext(
                "%(name)s in “%(session)s” has poor quality for %(minutes)s minute",
                "%(name)s in “%(session)s” has poor quality for %(minutes)s minutes",
                minutes,
            )
    return ngettext(
        "%(name)s in “%(session)s” has over %(threshold)s %% packet loss for %(minutes)s minute",
        "%(name)s in “%(session)s” has over %(threshold)s %% packet loss for %(minutes)s minutes",
        minutes,
    )
