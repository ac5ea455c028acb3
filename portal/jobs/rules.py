"""Rules that begin jobs by themselves, for the user who turned them on."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_noop

from portal.access.grants import scope_of
from portal.access.models import Connection
from portal.config import clock
from portal.contract.operation import AnyOperation
from portal.jobs.models import Job
from portal.work.models import DueRow

OWNER_AWAY, NO_CONNECTION, NOT_ALLOWED = "owner-away", "no-connection", "not-allowed"
# Why a rule is not run for its owner, in words by code.
OBSTACLES = {
    OWNER_AWAY: gettext_noop("Not run: the owner's account is deactivated."),
    NO_CONNECTION: gettext_noop("Not run: the owner no longer has this connection."),
    NOT_ALLOWED: gettext_noop("Not run: the owner's role or the connection no longer allows it."),
}


class OwnedRule(DueRow):
    """A rule that acts for its `owner`, who turned it on, as long as their role allows it.

    `set_by` is the user who last changed it. `job` is the last one that it began, and `outcome` the
    result of its last run, in words.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = clock.StampField(auto_now_add=True)
    outcome = models.TextField(blank=True)
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        abstract = True

    @property
    def responsible(self) -> list[int]:
        """Returns the primary keys of the users who may not approve its jobs: see `SET_BY`."""
        return [pk for pk in {self.owner_id, self.set_by_id} if pk]

    def obstacle(self, operation: AnyOperation) -> str:
        """Returns a code of `OBSTACLES` if its owner may not call the operation; mostly empty."""
        if not self.owner.is_active:
            return OWNER_AWAY
        scope = scope_of(self.owner, self.connection)
        if scope.is_nothing:
            return NO_CONNECTION
        return "" if scope.can_call(operation) else NOT_ALLOWED
