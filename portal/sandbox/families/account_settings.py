"""Settings of a sub account (spec 2.4): the defaults, and the changes that were made to them."""

from functools import cache
from typing import Any

import orjson

from portal.contract.account_settings import AccountSettings
from portal.contract.accounts import Accounts
from portal.contract.model import Model, fields, submodel
from portal.sandbox.errors import invalid
from portal.sandbox.families.accounts import account_called
from portal.sandbox.models import SubAccount
from portal.sandbox.serving import serves

Document = dict[str, dict[str, Any]]

_ON: dict[str, tuple[str, ...]] = {
    "email_notification": (
        "alternative_host_reminder",
        "cancel_meeting_reminder",
        "cloud_recording_avaliable_reminder",
    ),
    "in_meeting": ("annotation", "chat", "private_chat", "screen_sharing", "whiteboard"),
    "recording": ("local_recording", "record_speaker_view"),
    "schedule_meting": ("host_video",),
    "conf_rooms": ("upcoming_meeting_alert", "list_meetings_with_calendar"),
}
_VALUES: Document = {
    "in_meeting": {"dscp_audio": 56, "dscp_video": 40, "custom_service_instructions": ""},
    "recording": {"auto_delete_cmr_days": 30, "auto_recording": "none"},
    "schedule_meting": {"enforce_login_domains": ""},
    "telephony": {"audio_conference_info": ""},
}
_CAPACITY = {"business": 300, "education": 300, "enterprise": 500}


@serves(Accounts.settings)
def account_settings(account_id: str) -> bytes:
    return orjson.dumps(_merged(_given(), account_called(account_id).settings))


@serves(Accounts.update_settings)
def update_account_settings(account_id: str, body: AccountSettings) -> None:
    account = account_called(account_id)
    wanted = body.feature and body.feature.meeting_capacity
    if wanted and wanted > (most := meeting_capacity(account)):
        message = f"The account's plans have meetings of up to {most:,} people."
        raise invalid("feature.meeting_capacity", message)
    sent = body.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    account.settings = _merged(account.settings, sent)
    account.save()


def meeting_capacity(account: SubAccount) -> int:
    """Returns the largest number of participants by the base plan, or by an add-on for large
    meetings."""
    base = str((account.plans.get("plan_base") or {}).get("type", "")).lower()
    large = [
        int(digits[:6])
        for plan in account.plans.get("plan_large_meeting") or ()
        if (digits := "".join(each for each in plan.get("type", "") if each in "0123456789"))
        and plan.get("hosts")
    ]
    return max([100, *large, *(most for name, most in _CAPACITY.items() if name in base)])


@cache
def _given() -> Document:
    """Returns the document's defaults; most switches without a default are off."""
    return {
        group: _given_in(group, inner)
        for group, field in fields(AccountSettings)
        if (inner := submodel(field.annotation))
    }


def _given_in(group: str, model: type[Model]) -> dict[str, Any]:
    on, values = _ON.get(group, ()), _VALUES.get(group, {})
    defaults = model().model_dump(mode="json")
    return {
        name: values.get(name, name in on if value is None else value)
        for name, value in defaults.items()
    }


def _merged(base: Document, changes: Document) -> Document:
    groups = {**base, **changes}
    return {group: {**base.get(group, {}), **changes.get(group, {})} for group in groups}
