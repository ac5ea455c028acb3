"""The portal's own changes, by the names that the trail keeps them under."""

from django.db import models

from portal import contract


class Act(models.TextChoices):
    SIGN_IN = "session.begin", "Signed in"
    SIGN_IN_FAILED = "session.refused", "Sign-in refused"
    SIGN_OUT = "session.end", "Signed out"
    REAUTHENTICATED = "session.confirm", "Confirmed who they are"
    PASSWORD_CHANGED = "account.password", "Changed a password"
    EMAIL_CHANGED = "account.email", "Changed an email address"
    FACTOR_ADDED = "factor.add", "Added a second factor"
    FACTOR_REMOVED = "factor.remove", "Removed a second factor"
    FACTOR_RENEWED = "factor.renew", "Made new recovery codes"
    PROVIDER_LINKED = "provider.link", "Linked single sign-on"
    PROVIDER_UNLINKED = "provider.unlink", "Unlinked single sign-on"
    MEMBER_CREATED = "team.create", "Created a portal account"
    MEMBER_INVITED = "team.invite", "Made a set-password link"
    MEMBER_ROLE = "team.role", "Changed a role"
    MEMBER_DEACTIVATED = "team.deactivate", "Deactivated a portal account"
    MEMBER_ACTIVATED = "team.activate", "Activated a portal account"
    MEMBER_SIGNED_OUT = "team.sign_out", "Ended all sessions"
    MEMBER_FACTORS_RESET = "team.reset_factors", "Removed second factors"
    CONNECTION_CREATED = "connection.create", "Added a connection"
    CONNECTION_CHANGED = "connection.update", "Changed a connection"
    CONNECTION_REMOVED = "connection.remove", "Removed a connection"
    SEATS_STATED = "connection.seats", "Stated how many licences there are"
    REGISTRATION_STATED = "connection.registration", "Stated which sessions ask for registration"
    KEYS_ROTATED = "connection.rotate_keys", "Encrypted all tokens anew"
    JOB_DRAFTED = "job.draft", "Prepared a job"
    JOB_PLANNED_AGAIN = "job.plan", "Had a job planned again"
    JOB_APPROVED = "job.approve", "Approved a job"
    JOB_PAUSED = "job.pause", "Paused a job"
    JOB_RESUMED = "job.resume", "Resumed a job"
    JOB_CANCELLED = "job.cancel", "Cancelled a job"
    JOB_RETRIED = "job.retry", "Sent failed rows of a job again"
    JOB_JUDGED = "job.judge", "Said what became of a row"
    JOB_RESTORED = "job.restore", "Had a job go on after a backup was put back"
    LIST_EXPORTED = "list.export", "Exported a list"
    AUDIT_EXPORTED = "audit.export", "Exported the audit trail"

    @property
    def family(self) -> str:
        return self.value.partition(".")[0]


FAMILIES = {
    "session": "Sign-in",
    "account": "Password and email",
    "factor": "Second factor",
    "provider": "Single sign-on",
    "team": "Team",
    "connection": "Connections",
    "job": "Jobs",
    "list": "Lists",
    "audit": "Audit trail",
} | {family.name: family.title for family in contract.FAMILIES}

_TITLES = {operation.name: operation.summary for operation in contract.operations()} | dict(
    Act.choices
)


def title(operation: str) -> str:
    """What an entry's operation is called; its name itself where no release knows it any more."""
    return str(_TITLES.get(operation, operation))
