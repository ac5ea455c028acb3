"""Models of baselines: the settings that are wanted, and the drift from them."""

from collections.abc import Collection

from django.db import models
from django.db.models import JSONField, Value

from portal.access.scope import Scope
from portal.jobs.rules import OwnedRule
from portal.translation import gettext_lazy


class Reach(models.TextChoices):
    """Reach of a baseline: all subjects of its kind, or those that its `targets` name."""

    ALL = "all", gettext_lazy("All")
    GROUP = "group", gettext_lazy("Group")
    DEPARTMENT = "department", gettext_lazy("Department")
    CHOSEN = "chosen", gettext_lazy("Chosen")


class Baseline(OwnedRule):
    """The settings that a set of people, or of sub accounts, should have.

    `kind` is the name of a `SubjectKind`; `targets` are pairs of an id and a name: the group, the
    department, or the chosen sub accounts. `values` are the wanted settings by dotted names.

    While it `is_active` it is checked every night, for its `owner`; with `brings_back`, drift is
    then restored without confirmation. `set_by` is the last editor: an edit by another user than
    the owner makes them the owner and turns the rule off. A check was requested at `wanted_at`; the
    last one began at `begun_at`, and ended at `checked_at` with `results`, which
    `portal.account.baselines.results` puts in words. `outcome` is the result of checks by earlier
    releases, in words. `limits` are those of a narrow scope that it was saved in; it applies to the
    people whom its owner sees when it is checked.
    """

    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=20)
    scope = models.CharField(max_length=10, choices=Reach.choices, default=Reach.ALL)
    targets = models.JSONField(default=list)
    values = models.JSONField(default=dict)
    limits = models.JSONField(null=True)
    is_active = models.BooleanField(default=True)
    brings_back = models.BooleanField(default=False)
    wanted_at = models.DateTimeField(null=True)
    begun_at = models.DateTimeField(null=True)
    checked_at = models.DateTimeField(null=True)
    results = models.JSONField(default=list, db_default=Value([], JSONField()))

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["connection", "name"], name="one_baseline_of_a_name")
        ]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def visible_to(cls, scope: Scope) -> "models.QuerySet[Baseline]":
        """Returns the baselines of the connection; for a narrow scope its user's own, if it shows
        all that the scope did in which they were saved."""
        baselines = cls.objects.filter(connection=scope.connection)
        if not scope.is_narrow:
            return baselines
        own = baselines.filter(owner=scope.user, limits__isnull=False)
        saved = own.values_list("pk", "limits")
        return baselines.filter(pk__in=[pk for pk, limits in saved if scope.covers(limits)])

    @classmethod
    def supported(cls, kinds: Collection[str]) -> models.Q:
        """Returns the condition of baselines of these kinds, with a reach that this release has."""
        return models.Q(kind__in=list(kinds), scope__in=Reach.values)

    @property
    def target_ids(self) -> list[str]:
        return [str(key) for key, _ in self.targets]

    @property
    def target_names(self) -> list[str]:
        return [str(name) for _, name in self.targets]


class Drift(models.Model):
    """A setting of one subject that differed from the wanted value in the last check.

    A check found the difference at `since` for the first time. `actual` is None if the service does
    not report the setting.
    """

    baseline = models.ForeignKey(Baseline, on_delete=models.CASCADE, related_name="drifts")
    subject_id = models.TextField()
    subject = models.TextField()
    setting = models.CharField(max_length=100)
    wanted = models.JSONField(null=True)
    actual = models.JSONField(null=True, db_column="found")
    since = models.DateTimeField()
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ["subject", "subject_id", "setting"]
        constraints = [
            models.UniqueConstraint(
                fields=["baseline", "subject_id", "setting"], name="one_drift_of_a_setting"
            )
        ]
        indexes = [models.Index(fields=["baseline", "subject"], name="drift_by_subject")]

    def __str__(self) -> str:
        return f"{self.subject}: {self.setting}"
