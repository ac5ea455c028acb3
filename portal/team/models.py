"""Changes of accounts that wait until their users had time to stop them."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_noop

from portal.access.models import User, label_of
from portal.config import clock
from portal.team import answers
from portal.translation import gettext as _, gettext_lazy
from portal.translation.stored import in_english
from portal.work.models import DueRow


class ChangeKind(models.TextChoices):
    """Kind of change that takes an account over, or away from its user."""

    ROLE = "role", gettext_lazy("Change role")
    FACTORS = "factors", gettext_lazy("Reset two-factor authentication")
    DEACTIVATION = "deactivate", gettext_lazy("Deactivate")


class ChangeState(models.TextChoices):
    WAITING = "waiting", gettext_lazy("Waiting")
    DONE = "done", gettext_lazy("Done")
    STOPPED = "stopped", gettext_lazy("Stopped by its user")
    WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")
    LAPSED = "lapsed", gettext_lazy("Lapsed")


IN_WORDS = {
    ChangeKind.ROLE: gettext_noop("Change the role of %(user)s to %(what)s"),
    ChangeKind.FACTORS: gettext_noop("Reset two-factor authentication for %(user)s"),
    ChangeKind.DEACTIVATION: gettext_noop("Deactivate the account of %(user)s"),
}


class AccountChange(DueRow):
    """A change of a user's account, `asked_by` an administrator, that is made at `due_at` unless it
    ends before: `ended_by` is who stopped it, withdrew it or had it made at once.

    `role` is that of a change of the role. `answer` says, in English, why it has lapsed.
    """

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="account_changes")
    kind = models.CharField(max_length=12, choices=ChangeKind.choices)
    role = models.CharField(max_length=16, blank=True)
    state = models.CharField(
        max_length=10, choices=ChangeState.choices, default=ChangeState.WAITING
    )
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=clock.now)
    due_at = models.DateTimeField()
    ended_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)
    answer = models.TextField(blank=True)
    ip = models.CharField(max_length=45, blank=True)
    request_id = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["state", "due_at"], name="account_change_due")]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "kind"],
                condition=Q(state="waiting"),
                name="account_change_waits_once",
            )
        ]

    def __str__(self) -> str:
        with in_english():
            return self.in_words

    @property
    def in_words(self) -> str:
        """Returns what is to be done, in the reader's language."""
        what = label_of(self.role) if self.role else ""
        return _(IN_WORDS[ChangeKind(self.kind)]) % {"user": self.user, "what": what}

    @property
    def answer_in_words(self) -> str:
        return answers.shown(self.answer)
