"""The portal's own actions, by the names under which the audit trail stores them."""

from django.db import models

from portal import contract


class Act(models.TextChoices):
    SIGN_IN = "session.begin", "Signed in"
    SIGN_IN_FAILED = "session.refused", "Sign-in failed"
    SIGN_OUT = "session.end", "Signed out"
    REAUTHENTICATED = "session.confirm", "Confirmed identity"
    PASSWORD_CHANGED = "account.password", "Changed password"
    EMAIL_CHANGED = "account.email", "Changed email address"
    FACTOR_ADDED = "factor.add", "Added a two-factor method"
    FACTOR_REMOVED = "factor.remove", "Removed a two-factor method"
    FACTOR_RENAMED = "factor.rename", "Renamed a key"
    FACTOR_RENEWED = "factor.renew", "Generated recovery codes"
    PROVIDER_LINKED = "provider.link", "Linked single sign-on"
    PROVIDER_UNLINKED = "provider.unlink", "Unlinked single sign-on"
    MEMBER_CREATED = "team.create", "Created a portal account"
    MEMBER_INVITED = "team.invite", "Created a set-password link"
    MEMBER_ROLE = "team.role", "Changed a role"
    MEMBER_DEACTIVATED = "team.deactivate", "Deactivated a portal account"
    MEMBER_ACTIVATED = "team.activate", "Activated a portal account"
    MEMBER_SIGNED_OUT = "team.sign_out", "Signed out all sessions"
    MEMBER_FACTORS_RESET = "team.reset_factors", "Reset two-factor authentication"
    CONNECTION_CREATED = "connection.create", "Added a connection"
    CONNECTION_CHANGED = "connection.update", "Changed a connection"
    CONNECTION_REMOVED = "connection.remove", "Removed a connection"
    SEATS_STATED = "connection.seats", "Set licence count"
    REGISTRATION_STATED = "connection.registration", "Set registration rule"
    QUALITY_STATED = "connection.quality", "Set quality thresholds"
    KEYS_ROTATED = "connection.rotate_keys", "Re-encrypted all tokens"
    JOB_DRAFTED = "job.draft", "Created a job"
    JOB_PLANNED_AGAIN = "job.plan", "Refreshed a job preview"
    JOB_ROW_LEFT_OUT = "job.leave_out", "Excluded a row"
    JOB_ROW_PUT_BACK = "job.put_back", "Included a row"
    JOB_APPROVED = "job.approve", "Applied a job"
    JOB_PAUSED = "job.pause", "Paused a job"
    JOB_RESUMED = "job.resume", "Resumed a job"
    JOB_CANCELLED = "job.cancel", "Cancelled a job"
    JOB_RETRIED = "job.retry", "Retried failed rows"
    JOB_JUDGED = "job.judge", "Resolved an unknown outcome"
    JOB_SECRETS_TAKEN_OUT = "job.take_out", "Exported generated passwords"
    JOB_RESTORED = "job.restore", "Continued a job after a restore"
    CHAT_READ = "chat.read", "Read the chat archive"
    RECORDING_HELD = "meetings.hold_recording", "Put a recording on hold"
    RECORDING_RELEASED = "meetings.release_recording", "Released a recording from hold"
    DELIVERIES_PLAYED = "webhooks.play_deliveries", "Replayed deliveries"
    RETENTION_SET = "connection.retention", "Set a retention rule"
    RETENTION_REMOVED = "connection.remove_retention", "Removed a retention rule"
    BASELINE_SET = "connection.baseline", "Set a baseline"
    BASELINE_REMOVED = "connection.remove_baseline", "Deleted a baseline"
    LIST_EXPORTED = "list.export", "Exported a list"
    AUDIT_EXPORTED = "audit.export", "Exported the audit trail"

    @property
    def family(self) -> str:
        return self.value.partition(".")[0]


FAMILIES = {
    "session": "Sign-in",
    "account": "Password and email",
    "factor": "Two-factor authentication",
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
