"""Titles of events: what an entry says was done, or what was tried in vain."""

from django.utils.translation import gettext_noop

from portal.audit.acts import title
from portal.audit.models import AuditEntry, Outcome
from portal.translation import gettext as _

# Titles of what was done, by operation.
_DONE: dict[str, str] = {
    "accounts.create": gettext_noop("Created a sub account"),
    "accounts.disassociate": gettext_noop("Disassociated a sub account"),
    "accounts.update_options": gettext_noop("Changed a sub account's options"),
    "accounts.update_settings": gettext_noop("Changed a sub account's settings"),
    "assistants.add": gettext_noop("Added assistants"),
    "assistants.remove": gettext_noop("Removed an assistant"),
    "assistants.remove_all": gettext_noop("Removed all assistants"),
    "billing.add_plan": gettext_noop("Added an add-on plan"),
    "billing.subscribe": gettext_noop("Subscribed a sub account"),
    "billing.update_base_plan": gettext_noop("Changed the base plan"),
    "billing.update_contact": gettext_noop("Changed the billing contact"),
    "billing.update_plan": gettext_noop("Changed an add-on plan"),
    "devices.create": gettext_noop("Added a device"),
    "devices.delete": gettext_noop("Deleted a device"),
    "devices.update": gettext_noop("Changed a device"),
    "groups.add_members": gettext_noop("Added members to a group"),
    "groups.create": gettext_noop("Created a group"),
    "groups.delete": gettext_noop("Deleted a group"),
    "groups.remove_member": gettext_noop("Removed a member from a group"),
    "groups.update": gettext_noop("Renamed a group"),
    "im_groups.add_members": gettext_noop("Added members to an IM group"),
    "im_groups.create": gettext_noop("Created an IM group"),
    "im_groups.delete": gettext_noop("Deleted an IM group"),
    "im_groups.remove_member": gettext_noop("Removed a member from an IM group"),
    "im_groups.update": gettext_noop("Changed an IM group"),
    "meeting_polls.create": gettext_noop("Added a poll to a meeting"),
    "meeting_polls.delete": gettext_noop("Deleted a meeting's poll"),
    "meeting_polls.update": gettext_noop("Changed a meeting's poll"),
    "meeting_registrants.add": gettext_noop("Added a meeting registrant"),
    "meeting_registrants.change_status": gettext_noop("Decided on a meeting's registrants"),
    "meetings.change_livestream_status": gettext_noop("Started or stopped a live stream"),
    "meetings.create": gettext_noop("Created a meeting"),
    "meetings.delete": gettext_noop("Deleted a meeting"),
    "meetings.end": gettext_noop("Ended a meeting"),
    "meetings.update": gettext_noop("Changed a meeting"),
    "meetings.update_livestream": gettext_noop("Changed where a meeting is streamed"),
    "panelists.add": gettext_noop("Added panelists"),
    "panelists.remove": gettext_noop("Removed a panelist"),
    "panelists.remove_all": gettext_noop("Removed all panelists"),
    "recordings.delete": gettext_noop("Moved a meeting's recordings to trash"),
    "recordings.delete_file": gettext_noop("Moved a recording file to trash"),
    "recordings.recover": gettext_noop("Recovered a meeting's recordings"),
    "recordings.recover_file": gettext_noop("Recovered a recording file"),
    "recordings.update_settings": gettext_noop("Changed who may watch a meeting's recordings"),
    "schedulers.remove": gettext_noop("Removed a scheduler"),
    "schedulers.remove_all": gettext_noop("Removed all schedulers"),
    "telephony_provider.update": gettext_noop("Changed the telephony provider"),
    "tracking_fields.create": gettext_noop("Added a tracking field"),
    "tracking_fields.delete": gettext_noop("Deleted a tracking field"),
    "tracking_fields.update": gettext_noop("Changed a tracking field"),
    "tsp_accounts.create": gettext_noop("Added a TSP account"),
    "tsp_accounts.delete": gettext_noop("Deleted a TSP account"),
    "tsp_accounts.update": gettext_noop("Changed a TSP account"),
    "users.change_email": gettext_noop("Changed an email"),
    "users.change_password": gettext_noop("Changed a password"),
    "users.change_status": gettext_noop("Activated or deactivated a person"),
    "users.create": gettext_noop("Created a person"),
    "users.delete": gettext_noop("Removed a person"),
    "users.revoke_token": gettext_noop("Revoked an SSO token"),
    "users.update": gettext_noop("Changed a profile"),
    "users.update_settings": gettext_noop("Changed a person's settings"),
    "users.upload_picture": gettext_noop("Changed a profile picture"),
    "webhooks.choose_version": gettext_noop("Chose the webhook version"),
    "webhooks.create": gettext_noop("Created a webhook"),
    "webhooks.delete": gettext_noop("Deleted a webhook"),
    "webhooks.update": gettext_noop("Changed a webhook"),
    "webinar_polls.create": gettext_noop("Added a poll to a webinar"),
    "webinar_polls.delete": gettext_noop("Deleted a webinar's poll"),
    "webinar_polls.update": gettext_noop("Changed a webinar's poll"),
    "webinar_registrants.add": gettext_noop("Added a webinar registrant"),
    "webinar_registrants.change_status": gettext_noop("Decided on a webinar's registrants"),
    "webinars.create": gettext_noop("Created a webinar"),
    "webinars.delete": gettext_noop("Deleted a webinar"),
    "webinars.end": gettext_noop("Ended a webinar"),
    "webinars.update": gettext_noop("Changed a webinar"),
}
# Titles of what was to be done and of what was done, by operation and the action that was sent.
_BY_ACTION: dict[tuple[str, str], tuple[str, str]] = {
    ("recordings.delete", "trash"): (
        gettext_noop("Move a meeting's recordings to trash"),
        gettext_noop("Moved a meeting's recordings to trash"),
    ),
    ("recordings.delete", "delete"): (
        gettext_noop("Permanently delete a meeting's recordings"),
        gettext_noop("Permanently deleted a meeting's recordings"),
    ),
    ("recordings.delete_file", "trash"): (
        gettext_noop("Move a recording file to trash"),
        gettext_noop("Moved a recording file to trash"),
    ),
    ("recordings.delete_file", "delete"): (
        gettext_noop("Permanently delete a recording file"),
        gettext_noop("Permanently deleted a recording file"),
    ),
    ("users.change_status", "activate"): (
        gettext_noop("Activate a person"),
        gettext_noop("Activated a person"),
    ),
    ("users.change_status", "deactivate"): (
        gettext_noop("Deactivate a person"),
        gettext_noop("Deactivated a person"),
    ),
}
# The action of a call without one.
_USUAL_ACTION = {"recordings.delete": "trash", "recordings.delete_file": "trash"}


def title_of(entry: AuditEntry, outcome: str) -> str:
    """Returns the title of an entry with this outcome: "Changed a profile" if it was done, and
    otherwise "Change a profile", which was to be done."""
    operation, is_done = entry.operation, outcome == Outcome.DONE
    action = (entry.sent or {}).get("action") or _USUAL_ACTION.get(operation, "")
    if by_action := _BY_ACTION.get((operation, str(action))):
        return _(by_action[is_done])
    words = _DONE.get(operation) if is_done else None
    return _(words) if words else title(operation)
