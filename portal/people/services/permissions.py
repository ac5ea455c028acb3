"""Permissions of a person by their role on the account, in words."""

import re
from dataclasses import dataclass

from portal.client import Api
from portal.translation import gettext_lazy, pgettext_lazy

_AREAS = {
    "account": (gettext_lazy("Account"), gettext_lazy("the account, its profile and its settings")),
    "accountprofile": (
        gettext_lazy("Account profile"),
        gettext_lazy("the account's name, address and contacts"),
    ),
    "accountsetting": (
        gettext_lazy("Account settings"),
        gettext_lazy("settings that apply to everybody"),
    ),
    "billing": (gettext_lazy("Billing"), gettext_lazy("plans, invoices and payment")),
    "chat": (gettext_lazy("Chat"), gettext_lazy("chat groups and archived messages")),
    "confroom": (
        gettext_lazy("Conference rooms"),
        gettext_lazy("conference rooms and their devices"),
    ),
    "dashboard": (gettext_lazy("Dashboards"), gettext_lazy("live and past quality of meetings")),
    "device": (gettext_lazy("Devices"), gettext_lazy("H.323 and SIP devices")),
    "group": (gettext_lazy("Groups"), gettext_lazy("groups of people and their members")),
    "imchat": (gettext_lazy("Instant messages"), gettext_lazy("chat history")),
    "imgroup": (gettext_lazy("IM groups"), gettext_lazy("groups of the messaging directory")),
    "integration": (
        gettext_lazy("Integrations"),
        gettext_lazy("apps and tokens that use the service"),
    ),
    "meeting": (gettext_lazy("Meetings"), gettext_lazy("meetings and how they are scheduled")),
    "phone": (gettext_lazy("Telephony"), gettext_lazy("phone numbers and dial-in")),
    "profile": (gettext_lazy("Profile"), gettext_lazy("the own profile and picture")),
    "recording": (gettext_lazy("Recordings"), gettext_lazy("cloud recordings")),
    "report": (gettext_lazy("Reports"), gettext_lazy("reports on the account's usage")),
    "role": (gettext_lazy("Roles"), gettext_lazy("who may do what on the account")),
    "setting": (gettext_lazy("Settings"), gettext_lazy("settings of meetings and people")),
    "trackingfield": (
        gettext_lazy("Tracking fields"),
        gettext_lazy("fields that meetings are counted by"),
    ),
    "user": (gettext_lazy("People"), gettext_lazy("the people on the account")),
    "webhook": (gettext_lazy("Webhooks"), gettext_lazy("where the account's events are sent")),
    "webinar": (gettext_lazy("Webinars"), gettext_lazy("webinars and how they are scheduled")),
}
_ACCESS = {
    "read": pgettext_lazy("permission", "View"),
    "view": pgettext_lazy("permission", "View"),
    "edit": pgettext_lazy("permission", "Change"),
    "write": pgettext_lazy("permission", "Change"),
    "update": pgettext_lazy("permission", "Change"),
    "create": pgettext_lazy("permission", "Create"),
    "delete": pgettext_lazy("permission", "Delete"),
    "admin": pgettext_lazy("permission", "Administer"),
    "manage": pgettext_lazy("permission", "Manage"),
}


@dataclass(frozen=True)
class Permission:
    """A permission under the service's own name; `title` is empty where its meaning is unknown."""

    name: str
    title: str = ""
    access: str = ""
    explanation: str = ""


def permissions(api: Api, user_id: str) -> list[Permission]:
    found = [explain(str(name)) for name in api.users.permissions(user_id).permissions]
    return sorted(found, key=lambda one: (not one.title, one.title or one.name, one.access))


def explain(name: str) -> Permission:
    """Reads names such as `User:Edit`; the interface lists none of them."""
    area, _, access = name.rpartition(":")
    known = _AREAS.get(_key(area)) or _AREAS.get(_key(area).removesuffix("s"))
    verb = _ACCESS.get(access.casefold())
    if not known or not verb:
        return Permission(name)
    title, covers = known
    return Permission(name, title, verb, f"{verb} {covers}.")


def _key(area: str) -> str:
    return re.sub(r"[^a-z]", "", area.casefold())
