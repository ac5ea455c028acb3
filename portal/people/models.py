"""Records about people that the service does not report."""

from django.db import models

from portal.access.models import Connection, User
from portal.config import clock
from portal.contract.users import LicenceType
from portal.translation import gettext_lazy, options
from portal.work.models import DueRow


class StatedSeats(models.Model):
    """The number of licences of a type that an account has, as an administrator stated."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="seats")
    licence = models.PositiveSmallIntegerField(choices=options(LicenceType))
    seats = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "licence"], name="seats_stated_once")
        ]

    def __str__(self) -> str:
        return f"{self.seats} of {self.licence} on {self.connection}"


class ProtectedKind(models.TextChoices):
    PERSON = "person", gettext_lazy("Person")
    DEPARTMENT = "department", gettext_lazy("Department")
    GROUP = "group", gettext_lazy("Group")


class Protection(models.Model):
    """Keeps licences from being suggested or reclaimed: `key` is the id of a person or group, or
    the name of a department; `name` is what they were called then."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=ProtectedKind.choices)
    key = models.CharField(max_length=300)
    name = models.CharField(max_length=300)
    reason = models.CharField(max_length=200)
    protected_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    email = models.CharField(max_length=254)
    created_at = clock.StampField(auto_now_add=True)

    class Meta:
        ordering = ["kind", "name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["connection", "kind", "key"], name="protected_once")
        ]

    def __str__(self) -> str:
        return self.name or self.key


class PlanReading(models.Model):
    """The plans of an account as the service last reported them: triples of a name, a type and how
    many hosts it covers, or null. `failure` is why they could not be read."""

    connection = models.OneToOneField(Connection, on_delete=models.CASCADE, related_name="+")
    plans = models.JSONField(default=list)
    base_hosts = models.PositiveIntegerField(null=True)
    read_at = models.DateTimeField()
    failure = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"Plans of {self.connection}"  # untranslated: for developers


class SeatCounting(DueRow):
    """The last count of the used licences of a connection; without `counted_at` there was none."""

    connection = models.OneToOneField(
        Connection, on_delete=models.CASCADE, related_name="seat_counting"
    )
    created_at = clock.StampField(auto_now_add=True)
    counted_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"Count of licences of {self.connection}"  # untranslated: for developers


class SeatCount(models.Model):
    """The number of licences of a type that were used on a day, for the trend."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    licence = models.PositiveSmallIntegerField()
    day = models.DateField()
    used = models.PositiveIntegerField()
    total = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "licence", "day"], name="seats_counted_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.used} of {self.licence} on {self.day}"


class OnboardingTemplate(models.Model):
    """Licence, groups, assistants and settings for new people of some departments.

    `groups`, `im_groups` and `assistants` are pairs of an id and a name; `settings` are by dotted
    name. A department is one template's at most.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=100)
    departments = models.JSONField(default=list)
    licence = models.PositiveSmallIntegerField(null=True, choices=options(LicenceType))
    groups = models.JSONField(default=list)
    im_groups = models.JSONField(default=list)
    assistants = models.JSONField(default=list)
    settings = models.JSONField(default=dict)
    changed_at = clock.StampField(auto_now=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["connection", "name"], name="onboarding_template_name")
        ]

    def __str__(self) -> str:
        return self.name
