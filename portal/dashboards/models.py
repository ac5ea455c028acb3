"""Records of figures that the service reports only while they happen, or session by session."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import JSONField, Value

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.config import clock
from portal.translation import gettext as _, gettext_lazy, ngettext_lazy, number
from portal.work.models import Leased


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


# The figures of each participant.
OF_PEOPLE = (AlertKind.LOSS, AlertKind.LATENCY, AlertKind.JITTER, AlertKind.QUALITY)


class AlertRule(models.Model):
    """A rule for alerts. `minutes` is how long a participant's condition lasts. With `mails` a mail
    is sent to the `recipients`, or to the owner of the connection if none were chosen.

    A rule with an `owner`, who made it over a share for some of the people, watches what they see
    when it is evaluated, and is mailed to them alone. All others watch the whole account.
    """

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
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    created_at = clock.StampField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "kind", "threshold", "minutes"],
                condition=models.Q(owner=None),
                name="one_rule_of_all_per_threshold",
            ),
            models.UniqueConstraint(
                fields=["connection", "kind", "threshold", "minutes", "owner"],
                name="one_rule_of_owner_per_threshold",
            ),
        ]

    def __str__(self) -> str:
        if self.kind not in AlertKind.values:
            return _("A rule made by another release of Switchboard")
        given = {"threshold": number(self.threshold), "minutes": number(self.minutes)}
        if self.kind == AlertKind.PARTICIPANTS:
            return _("A session has more participants than %(threshold)s") % given
        if self.kind == AlertKind.PEOPLE:
            return _("Participants are over %(threshold)s %% of licensed people") % given
        if self.kind == AlertKind.ROOM:
            words = _("A conference room is offline for longer than %(threshold)s minutes")
            return words % given
        return _RULES_OF_PEOPLE[self.kind] % {**given, "n": self.minutes}

    @classmethod
    def supported(cls) -> "models.QuerySet[AlertRule]":
        """Returns the rules of kinds that this release has; it does nothing with the others."""
        return cls.objects.filter(kind__in=AlertKind.values)

    @classmethod
    def visible_to(cls, scope: Scope) -> "models.QuerySet[AlertRule]":
        """Returns the rules that the user of a scope has made for a part of the people, and for a
        scope that is not narrow those of the whole account."""
        visible = models.Q(owner=scope.user)
        if not scope.is_narrow:
            visible |= models.Q(owner=None)
        return cls.objects.filter(visible, connection=scope.connection)


# Rules and alerts about a participant, by their kind; `n` counts the minutes.
_RULES_OF_PEOPLE: dict[str, str] = {
    AlertKind.LOSS: ngettext_lazy(
        "A participant's packet loss is over %(threshold)s %% for %(minutes)s minute",
        "A participant's packet loss is over %(threshold)s %% for %(minutes)s minutes",
        "n",
    ),
    AlertKind.LATENCY: ngettext_lazy(
        "A participant's latency is over %(threshold)s ms for %(minutes)s minute",
        "A participant's latency is over %(threshold)s ms for %(minutes)s minutes",
        "n",
    ),
    AlertKind.JITTER: ngettext_lazy(
        "A participant's jitter is over %(threshold)s ms for %(minutes)s minute",
        "A participant's jitter is over %(threshold)s ms for %(minutes)s minutes",
        "n",
    ),
    AlertKind.QUALITY: ngettext_lazy(
        "A participant's quality is poor for %(minutes)s minute",
        "A participant's quality is poor for %(minutes)s minutes",
        "n",
    ),
}
_ALERTS_OF_PEOPLE: dict[str, str] = {
    AlertKind.LOSS: ngettext_lazy(
        "%(name)s in “%(session)s” has over %(threshold)s %% packet loss for %(minutes)s minute",
        "%(name)s in “%(session)s” has over %(threshold)s %% packet loss for %(minutes)s minutes",
        "n",
    ),
    AlertKind.LATENCY: ngettext_lazy(
        "%(name)s in “%(session)s” has a latency over %(threshold)s ms for %(minutes)s minute",
        "%(name)s in “%(session)s” has a latency over %(threshold)s ms for %(minutes)s minutes",
        "n",
    ),
    AlertKind.JITTER: ngettext_lazy(
        "%(name)s in “%(session)s” has a jitter over %(threshold)s ms for %(minutes)s minute",
        "%(name)s in “%(session)s” has a jitter over %(threshold)s ms for %(minutes)s minutes",
        "n",
    ),
    AlertKind.QUALITY: ngettext_lazy(
        "%(name)s in “%(session)s” has poor quality for %(minutes)s minute",
        "%(name)s in “%(session)s” has poor quality for %(minutes)s minutes",
        "n",
    ),
}


class Alert(models.Model):
    """A time in which a rule's condition was true for one `subject`: a session, a room, or the
    account.

    It is raised when the condition has lasted for as long as the rule says. `notified_at` is when
    the mail was written, once. It is over with `ended_at`. `alert_in_words` writes `facts` in the
    language of the reader; `words` are the same in the portal's own language, and all that older
    alerts have. The `limits` among the facts are those of the scope that a rule with an owner was
    evaluated by.
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

    def is_visible_to(self, scope: Scope) -> bool:
        """Returns whether a scope shows all that the alert was raised by."""
        limits = self.facts.get("limits")
        return not scope.is_narrow or (limits is not None and scope.covers(limits))


def alert_in_words(facts: Mapping[str, Any]) -> str:
    """Returns an alert by its `kind` and the rule's `threshold`, in the reader's language; empty
    without facts.

    Alerts of participants and of rooms have a `name`, those of people the numbers `there` and
    `licensed`, those of quality the `name`, the topic of the `session`, and the rule's `minutes`.
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
            name = facts["name"] or _("A participant")
            words = _ALERTS_OF_PEOPLE[facts["kind"]]
            return words % {**given, "name": name, "n": facts["minutes"]}
    return ""


class LiveSnapshot(Leased):
    """The live meetings and webinars of a connection, as the service last listed them.

    `content` is JSON, by the names of `portal.dashboards.services.live.picture.LISTS`. `version`
    is a digest of it, without the times at which it was read. `asked_at` is the time of the last
    request, with or without success; `watched_at` that of the last viewer. The lease is that of the
    process that makes the request, if there is no Redis for it.
    """

    connection = models.OneToOneField(Connection, on_delete=models.CASCADE, related_name="+")
    version = models.CharField(max_length=32, default="")
    content = models.TextField(default="")
    asked_at = models.DateTimeField(null=True)
    watched_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"live sessions of {self.connection}"  # untranslated: for developers


class LiveSample(models.Model):
    """The number of sessions and participants in one minute; unreported figures are unset."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    minute = models.DateTimeField()
    meetings = models.PositiveIntegerField(null=True)
    webinars = models.PositiveIntegerField(null=True)
    participants = models.PositiveIntegerField(null=True)
    recordings = models.PositiveIntegerField(null=True)
    shares = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "minute"], name="one_sample_per_minute")
        ]
        indexes = [models.Index(fields=["minute"])]

    def __str__(self) -> str:
        return f"{self.connection} at {self.minute:%H:%M}"


class StoredSample(models.Model):
    """One measurement of one participant's connection.

    The service reports only the last one of each, so measurements are stored for a while. `session`
    is the session's UUID, or its number if it has none; `stay` is the key of the participant's
    stay, `participant` its id at the service. `content` has the sections of the sample as the
    service wrote them; `level` is its verdict when it was read.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    session = models.CharField(max_length=250)
    stay = models.CharField(max_length=32)
    measured_at = models.DateTimeField()
    participant = models.CharField(max_length=250)
    name = models.CharField(max_length=250)
    network = models.CharField(max_length=250)
    location = models.CharField(max_length=250)
    version = models.CharField(max_length=250)
    device = models.CharField(max_length=250)
    level = models.CharField(max_length=4)
    content = models.JSONField(default=dict)

    class Meta:
        db_table = "dashboards_keptsample"
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "session", "stay", "measured_at"],
                name="one_sample_per_moment",
            )
        ]
        indexes = [
            models.Index(
                fields=["connection", "session", "measured_at"], name="samples_of_session"
            ),
            models.Index(fields=["measured_at"], name="samples_by_moment"),
        ]

    def __str__(self) -> str:
        return f"{self.name} at {self.measured_at:%H:%M}"


class QualityThresholds(models.Model):
    """The thresholds that an administrator set: by the name of a measure, `[fair, poor]`, or `null`
    for one that is not judged. A measure that is not named has its default."""

    connection = models.OneToOneField(Connection, on_delete=models.CASCADE, related_name="+")
    values = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"quality thresholds of {self.connection}"  # untranslated: for developers


class MeasuredDay(models.Model):
    """A day of GMT with its sessions; `read_at` is when all of them were read last.

    Its sessions are deleted with the day.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    asked_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "day"], name="one_measured_day")
        ]
        indexes = [models.Index(fields=["asked_at"], name="measured_days_by_age")]

    def __str__(self) -> str:
        return f"{self.connection} on {self.day}"


class MeasuredSession(models.Model):
    """A session that began on that day; `key` is its UUID, or its number if it has none."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    day = models.ForeignKey(MeasuredDay, on_delete=models.CASCADE, related_name="sessions")
    family = models.CharField(max_length=10)
    key = models.CharField(max_length=250)
    topic = models.CharField(max_length=250)
    start = models.DateTimeField()
    end = models.DateTimeField(null=True)
    read_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "family", "key"], name="one_measured_session"
            )
        ]
        indexes = [models.Index(fields=["connection", "start"], name="measured_sessions_by_start")]

    def __str__(self) -> str:
        return self.topic or self.key


class MeasuredStay(models.Model):
    """A participant's stay in a session.

    `participant` is its id at the service, `person` is the same for all stays of one person,
    `user_id` is the id of a person of the account: their name and department are looked up when the
    stay is shown. `cpu` is the use of the computer's processor, in per cent.
    """

    session = models.ForeignKey(MeasuredSession, on_delete=models.CASCADE, related_name="stays")
    key = models.CharField(max_length=32)
    participant = models.CharField(max_length=250)
    person = models.CharField(max_length=32, db_index=True)
    user_id = models.CharField(max_length=250)
    name = models.CharField(max_length=250)
    joined = models.DateTimeField(null=True)
    network = models.CharField(max_length=250)
    location = models.CharField(max_length=250)
    version = models.CharField(max_length=250)
    device = models.CharField(max_length=250)
    cpu = models.FloatField(null=True)

    def __str__(self) -> str:
        return self.name


class Medium(models.TextChoices):
    AUDIO = "audio", gettext_lazy("Audio")
    VIDEO = "video", gettext_lazy("Video")
    SHARING = "sharing", gettext_lazy("Screen sharing")


class MeasuredStream(models.Model):
    """One medium that a participant sent or received. Figures are in the units of
    `portal.dashboards.services.session.measures`; what could not be read is unset."""

    stay = models.ForeignKey(MeasuredStay, on_delete=models.CASCADE, related_name="streams")
    medium = models.CharField(max_length=8, choices=Medium.choices)
    is_sent = models.BooleanField()
    latency = models.FloatField(null=True)
    jitter = models.FloatField(null=True)
    loss = models.FloatField(null=True)
    bitrate = models.FloatField(null=True)
    frame_rate = models.FloatField(null=True)
    resolution = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"{self.medium} {'sent' if self.is_sent else 'received'}"
