"""The portal's own actions, by the names under which the audit trail stores them."""

from functools import partial

from django.db import models

from portal import contract
from portal.translation import gettext_lazy, lazily, pgettext_lazy


class Act(models.TextChoices):
    SIGN_IN = "session.begin", gettext_lazy("Signed in")
    SIGN_IN_FAILED = "session.refused", gettext_lazy("Sign-in failed")
    SIGN_OUT = "session.end", gettext_lazy("Signed out")
    SESSION_ENDED = "session.revoke", gettext_lazy("Ended a sign-in session")
    SESSIONS_ENDED = "session.revoke_others", gettext_lazy("Ended all other sign-in sessions")
    REAUTHENTICATED = "session.confirm", gettext_lazy("Confirmed identity")
    PASSWORD_CHANGED = "account.password", gettext_lazy("Changed password")
    EMAIL_CHANGED = "account.email", gettext_lazy("Changed email address")
    FACTOR_ADDED = "factor.add", gettext_lazy("Added a two-factor method")
    FACTOR_REMOVED = "factor.remove", gettext_lazy("Removed a two-factor method")
    FACTOR_RENAMED = "factor.rename", gettext_lazy("Renamed a key")
    FACTOR_RENEWED = "factor.renew", gettext_lazy("Generated recovery codes")
    PROVIDER_LINKED = "provider.link", gettext_lazy("Linked single sign-on")
    PROVIDER_UNLINKED = "provider.unlink", gettext_lazy("Unlinked single sign-on")
    MEMBER_CREATED = "team.create", gettext_lazy("Created an account")
    MEMBER_INVITED = "team.invite", gettext_lazy("Created a set-password link")
    MEMBER_ROLE = "team.role", gettext_lazy("Changed a role")
    MEMBER_DEACTIVATED = "team.deactivate", gettext_lazy("Deactivated an account")
    MEMBER_ACTIVATED = "team.activate", gettext_lazy("Activated an account")
    MEMBER_SIGNED_OUT = "team.sign_out", gettext_lazy("Ended all sign-in sessions")
    MEMBER_FACTORS_RESET = "team.reset_factors", gettext_lazy("Reset two-factor authentication")
    MEMBER_VOUCHED = "team.vouch", gettext_lazy("Vouched for an account")
    MEMBER_CHANGE_ASKED = "team.ask_change", gettext_lazy("Asked to change an account")
    MEMBER_CHANGE_STOPPED = "team.stop_change", gettext_lazy("Stopped a change of their account")
    MEMBER_CHANGE_WITHDRAWN = (
        "team.withdraw_change",
        gettext_lazy("Withdrew a change of an account"),
    )
    MEMBER_CHANGE_LAPSED = "team.lapse_change", gettext_lazy("A change of an account lapsed")
    SECOND_FACTOR_RULE = (
        "team.second_factor",
        gettext_lazy("Changed who needs two-factor authentication"),
    )
    ROLE_DEFINED = "role.define", gettext_lazy("Defined a role")
    ROLE_CHANGED = "role.update", gettext_lazy("Changed what a role may do")
    ROLE_DELETED = "role.delete", gettext_lazy("Deleted a role")
    CONNECTION_CREATED = "connection.create", gettext_lazy("Added a connection")
    CONNECTION_CHANGED = "connection.update", gettext_lazy("Changed a connection")
    CONNECTION_CHECKED = "connection.check", gettext_lazy("Checked a connection")
    CONNECTION_REMOVED = "connection.remove", gettext_lazy("Removed a connection")
    CONNECTION_SHARED = "connection.share", gettext_lazy("Shared a connection")
    SHARE_CHANGED = (
        "connection.change_share",
        gettext_lazy("Changed a colleague's access to a connection"),
    )
    SHARE_TAKEN_BACK = (
        "connection.take_back",
        gettext_lazy("Took back a colleague's access to a connection"),
    )
    SHARE_LEFT = "connection.leave", gettext_lazy("Left a shared connection")
    SHARE_ENDED = (
        "connection.end_share",
        gettext_lazy("A colleague's access to a connection ended by itself"),
    )
    ELEVATION_ASKED = "connection.ask_elevation", gettext_lazy("Asked for a greater role")
    ELEVATION_APPROVED = "connection.elevate", gettext_lazy("Approved a greater role")
    ELEVATION_DECLINED = "connection.decline_elevation", gettext_lazy("Declined a greater role")
    ELEVATION_WITHDRAWN = (
        "connection.withdraw_elevation",
        gettext_lazy("Withdrew a request for a greater role"),
    )
    ELEVATION_TAKEN_BACK = (
        "connection.take_back_elevation",
        gettext_lazy("Ended a greater role early"),
    )
    ELEVATION_ENDED = (
        "connection.end_elevation",
        gettext_lazy("A greater role ended by itself"),
    )
    ELEVATION_LAPSED = (
        "connection.lapse_elevation",
        gettext_lazy("A request for a greater role lapsed"),
    )
    HAND_OVER_ASKED = (
        "connection.ask_hand_over",
        gettext_lazy("Asked to hand over a connection"),
    )
    CONNECTION_HANDED_OVER = "connection.hand_over", gettext_lazy("Handed over a connection")
    SEATS_STATED = "connection.seats", pgettext_lazy("done", "Set licence count")
    SEAT_PRICES_STATED = "connection.seat_prices", pgettext_lazy("done", "Set prices of licences")
    LICENCES_PROTECTED = "connection.protect_licences", pgettext_lazy("done", "Protected licences")
    LICENCES_RELEASED = (
        "connection.release_licences",
        gettext_lazy("Ended a protection of licences"),
    )
    REGISTRATION_STATED = "connection.registration", pgettext_lazy("done", "Set registration rule")
    EVENTS_SIGNED = (
        "connection.signed_events",
        pgettext_lazy("done", "Set the secret of event notifications"),
    )
    EVENTS_ENDED = "connection.end_events", gettext_lazy("Ended signed event notifications")
    QUALITY_STATED = "connection.quality", pgettext_lazy("done", "Set quality thresholds")
    KEYS_ROTATED = "connection.rotate_keys", gettext_lazy("Re-encrypted all tokens")
    JOB_DRAFTED = "job.draft", gettext_lazy("Created a job")
    JOB_PLANNED_AGAIN = "job.plan", gettext_lazy("Refreshed a job preview")
    JOB_ROW_LEFT_OUT = "job.leave_out", gettext_lazy("Excluded a row")
    JOB_ROW_PUT_BACK = "job.put_back", gettext_lazy("Included a row")
    JOB_APPROVED = "job.approve", gettext_lazy("Applied a job")
    JOB_PAUSED = "job.pause", gettext_lazy("Paused a job")
    JOB_RESUMED = "job.resume", gettext_lazy("Resumed a job")
    JOB_CANCELLED = "job.cancel", gettext_lazy("Cancelled a job")
    JOB_RETRIED = "job.retry", gettext_lazy("Retried failed rows")
    JOB_JUDGED = "job.judge", gettext_lazy("Resolved an unknown outcome")
    JOB_SECRETS_TAKEN_OUT = "job.take_out", gettext_lazy("Exported generated passwords")
    JOB_RESTORED = "job.restore", gettext_lazy("Continued a job after a restore")
    JOB_REMOVED = "job.remove", gettext_lazy("Removed a job")
    APPROVAL_ASKED = "approval.ask", gettext_lazy("Asked for approval")
    APPROVAL_GIVEN = "approval.approve", gettext_lazy("Approved a request")
    APPROVAL_DECLINED = "approval.decline", gettext_lazy("Declined a request")
    APPROVAL_WITHDRAWN = "approval.withdraw", gettext_lazy("Withdrew a request for approval")
    APPROVAL_LAPSED = "approval.lapse", gettext_lazy("A request for approval lapsed")
    APPROVAL_RULES_SET = "connection.approvals", pgettext_lazy("done", "Set approval rules")
    ONBOARDING_SET = "connection.onboarding", pgettext_lazy("done", "Set an onboarding template")
    ONBOARDING_REMOVED = (
        "connection.remove_onboarding",
        gettext_lazy("Deleted an onboarding template"),
    )
    PERSON_OFFBOARDED = "users.offboard", gettext_lazy("Offboarded a person")
    CHAT_READ = "chat.read", gettext_lazy("Read the chat archive")
    RECORDING_HELD = "meetings.hold_recording", gettext_lazy("Put a recording on hold")
    RECORDING_KEPT = "meetings.keep_recording", gettext_lazy("Kept a recording as its host")
    RECORDING_RELEASED = (
        "meetings.release_recording",
        gettext_lazy("Released a recording from hold"),
    )
    DELIVERIES_PLAYED = "webhooks.play_deliveries", gettext_lazy("Replayed deliveries")
    RETENTION_SET = "connection.retention", pgettext_lazy("done", "Set a retention rule")
    RETENTION_REMOVED = "connection.remove_retention", gettext_lazy("Removed a retention rule")
    BASELINE_SET = "connection.baseline", pgettext_lazy("done", "Set a baseline")
    BASELINE_REMOVED = "connection.remove_baseline", gettext_lazy("Deleted a baseline")
    ALERT_RULE_SET = "connection.alert_rule", pgettext_lazy("done", "Set an alert rule")
    ALERT_RULE_REMOVED = "connection.remove_alert_rule", gettext_lazy("Deleted an alert rule")
    REPORT_SAVED = "connection.save_report", pgettext_lazy("done", "Saved a report to be mailed")
    REPORT_DELETED = "connection.delete_report", gettext_lazy("Deleted a saved report")
    REPORT_MAILED = "connection.mail_report", gettext_lazy("Mailed a saved report")
    LIST_EXPORTED = "list.export", gettext_lazy("Exported a list")
    AUDIT_EXPORTED = "audit.export", gettext_lazy("Exported the audit trail")

    @property
    def family(self) -> str:
        return self.value.partition(".")[0]


# Acts that take nothing from any user and forbid nothing: writes do not wait for their entries.
HARMLESS = frozenset(
    {
        Act.SIGN_IN,
        Act.SIGN_IN_FAILED,
        Act.SIGN_OUT,
        Act.REAUTHENTICATED,
        Act.CONNECTION_CHECKED,
        Act.CHAT_READ,
        Act.REPORT_MAILED,
        Act.LIST_EXPORTED,
        Act.AUDIT_EXPORTED,
    }
)

FAMILIES = {
    "session": gettext_lazy("Sign-in"),
    "account": gettext_lazy("Password and email"),
    "factor": gettext_lazy("Two-factor authentication"),
    "provider": gettext_lazy("Single sign-on"),
    "team": gettext_lazy("Team"),
    "role": gettext_lazy("Roles"),
    "connection": gettext_lazy("Connections"),
    "job": gettext_lazy("Jobs"),
    "approval": gettext_lazy("Approvals"),
    "list": gettext_lazy("Lists"),
    "audit": gettext_lazy("Audit trail"),
} | {family.name: lazily(partial(getattr, family, "title")) for family in contract.FAMILIES}


def title(operation: str) -> str:
    """Returns the title of an entry's operation; its name if this release does not have it."""
    if operation in contract.OPERATIONS:
        return contract.OPERATIONS[operation].summary
    return str(Act(operation).label) if operation in Act.values else operation
