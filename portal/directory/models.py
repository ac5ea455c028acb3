"""Models of the people and groups of an account, who is in which, and names of licences."""

from collections.abc import Sequence

from django.db import models

from portal.access.models import Connection, User
from portal.contract.users import LicenceType
from portal.mirror.models.row import MirroredRow, UnsetFirst
from portal.translation import gettext as _, gettext_lazy

_LICENCES = {kind.value: kind for kind in LicenceType}
# Those that services of today report beside: they are shown, and not given.
_LICENCES_TODAY = {
    4: gettext_lazy("No meetings licence"),
    99: gettext_lazy("None (single sign-on)"),
}


class MirroredUser(MirroredRow):
    """One person. Only lists contain the status."""

    KEY = ("user_id",)

    user_id = models.TextField()
    email = models.TextField()
    first_name = models.TextField()
    last_name = models.TextField()
    name = models.TextField()
    type = models.IntegerField(null=True)
    dept = models.TextField()
    status = models.CharField(max_length=20)
    timezone = models.TextField()
    pmi = models.TextField()
    created_at = models.DateTimeField(null=True)
    last_login_time = models.DateTimeField(null=True)
    group_ids = models.JSONField(default=list)
    im_group_ids = models.JSONField(default=list)
    sort_name = models.TextField()
    search = models.TextField()

    class Meta:
        db_table = "mirror_mirroreduser"
        constraints = [
            models.UniqueConstraint(fields=["connection", "user_id"], name="one_row_per_person")
        ]
        # One for each order of the list, the ties included, so that a page far down is found
        # without reading rows. That of the names holds what is searched as well.
        indexes = [
            models.Index(fields=["connection", "sort_name", "id", "search"], name="people_by_name"),
            models.Index(
                fields=["connection", "status", "sort_name", "id"], name="people_by_status"
            ),
            models.Index(fields=["connection", "dept", "sort_name", "id"], name="people_by_dept"),
            models.Index(fields=["connection", "email", "id"], name="people_by_email"),
            UnsetFirst(fields=["connection", "type", "sort_name", "id"], name="people_by_licence"),
            UnsetFirst(
                fields=["connection", "last_login_time", "id"], name="people_by_last_sign_in"
            ),
            UnsetFirst(fields=["connection", "created_at", "id"], name="people_by_creation"),
            models.Index(fields=["connection", "touched_at"], name="people_by_touch"),
        ]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def label(self) -> str:
        """Returns the name with the email: two people may have the same name."""
        return f"{self.name}, {self.email}" if self.name and self.email else str(self)


class GroupKind(models.TextChoices):
    """User groups share settings, IM groups are those of the instant-messaging directory."""

    GROUP = "group", gettext_lazy("Group")
    IM_GROUP = "im_group", gettext_lazy("IM group")


class MirroredGroup(MirroredRow):
    """One group; `type` and the `search_by_…` are reported of IM groups only."""

    KEY = ("kind", "group_id")

    kind = models.CharField(max_length=10, choices=GroupKind.choices)
    group_id = models.TextField()
    name = models.TextField()
    total_members = models.IntegerField(null=True)
    type = models.CharField(max_length=20)
    search_by_account = models.BooleanField(null=True)
    search_by_domain = models.BooleanField(null=True)
    search_by_ma_account = models.BooleanField(null=True)
    sort_name = models.TextField()

    class Meta:
        db_table = "mirror_mirroredgroup"
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "kind", "group_id"], name="one_row_per_group"
            )
        ]
        indexes = [models.Index(fields=["connection", "kind", "sort_name"])]

    def __str__(self) -> str:
        return self.name or self.group_id


class Membership(models.Model):
    """The membership of a person in a group, as the lists of people report it.

    The group is stored by its id: lists of people can name groups that no list of groups contains.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=GroupKind.choices)
    group_id = models.TextField()
    user = models.ForeignKey(MirroredUser, on_delete=models.CASCADE, related_name="memberships")

    class Meta:
        db_table = "mirror_membership"
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "group_id"], name="once_in_each_group")
        ]
        indexes = [models.Index(fields=["connection", "kind", "group_id", "user"])]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.group_id}"


class UnplacedPerson(models.Model):
    """A person that `maker` has created over a share that is limited to some people, and who has
    been in no department and group since.

    `email` is in lower case. `user_id` is empty while the service has not answered the creation,
    which began at `begun_at`; `status` is theirs once it has happened.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    maker = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    email = models.TextField()
    user_id = models.TextField(blank=True, default="")
    status = models.CharField(max_length=20)
    begun_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "maker", "email"], name="unplaced_once_by_each_maker"
            )
        ]
        indexes = [models.Index(fields=["connection", "user_id"], name="unplaced_by_person")]

    def __str__(self) -> str:
        return self.email


GROUP_IDS = {GroupKind.GROUP: "group_ids", GroupKind.IM_GROUP: "im_group_ids"}


def sync_memberships(people: Sequence[MirroredUser]) -> None:
    """Brings the memberships of these people in line with the groups that their rows name. Who is
    in a department or group is unplaced no more."""
    if not people:
        return
    connection = people[0].connection
    placed = [person.user_id for person in people if person.dept or person.group_ids]
    if placed:
        UnplacedPerson.objects.filter(connection=connection, user_id__in=placed).delete()
    values = {
        (person.pk, kind.value, group)
        for person in people
        for kind, field in GROUP_IDS.items()
        for group in getattr(person, field)
    }
    of_them = Membership.objects.filter(user__in=[person.pk for person in people])
    existing = {
        (user, kind, group): pk
        for pk, user, kind, group in of_them.values_list("pk", "user_id", "kind", "group_id")
    }
    ended = [pk for key, pk in existing.items() if key not in values]
    if ended:
        Membership.objects.filter(pk__in=ended).delete()
    Membership.objects.bulk_create(
        Membership(connection=connection, user_id=user, kind=kind, group_id=group)
        for user, kind, group in values - existing.keys()
    )


def licence_label(licence: int | None) -> str:
    """Returns a licence in words; a value that the contract lacks is shown as its number."""
    if licence is None:
        return ""
    if kind := _LICENCES.get(licence):
        return kind.label
    if licence in _LICENCES_TODAY:
        return str(_LICENCES_TODAY[licence])
    return _("Type %(number)s") % {"number": licence} if licence >= 0 else _("Unknown")
