"""The mirror of people."""

from django.db import models

from portal.mirror.models.indexes import UnsetFirst
from portal.mirror.models.row import MirroredRow


class MirroredUser(MirroredRow):
    """One person. Only lists tell the status."""

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
