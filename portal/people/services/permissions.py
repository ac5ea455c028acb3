"""What a person's role on the account lets them do, in words."""

import re
from dataclasses import dataclass

from portal.client import Api

_AREAS = {
    "account": ("Account", "the account, its profile and its settings"),
    "accountprofile": ("Account profile", "the account's name, address and contacts"),
    "accountsetting": ("Account settings", "settings that apply to everybody"),
    "billing": ("Billing", "plans, invoices and payment"),
    "chat": ("Chat", "chat groups and archived messages"),
    "confroom": ("Conference rooms", "conference rooms and their devices"),
    "dashboard": ("Dashboards", "live and past quality of meetings"),
    "device": ("Devices", "H.323 and SIP devices"),
    "group": ("Groups", "groups of people and their members"),
    "imchat": ("Instant messages", "chat history"),
    "imgroup": ("IM groups", "groups of the messaging directory"),
    "integration": ("Integrations", "apps and tokens that use the interface"),
    "meeting": ("Meetings", "meetings and how they are scheduled"),
    "phone": ("Telephony", "phone numbers and dial-in"),
    "profile": ("Profile", "the own profile and picture"),
    "recording": ("Recordings", "cloud recordings"),
    "report": ("Reports", "reports on the account's usage"),
    "role": ("Roles", "who may do what on the account"),
    "setting": ("Settings", "settings of meetings and people"),
    "trackingfield": ("Tracking fields", "fields that meetings are counted by"),
    "user": ("People", "the people on the account"),
    "webhook": ("Webhooks", "where the account's events are sent"),
    "webinar": ("Webinars", "webinars and how they are scheduled"),
}
_ACCESS = {
    "read": "View",
    "view": "View",
    "edit": "Change",
    "write": "Change",
    "update": "Change",
    "create": "Create",
    "delete": "Delete",
    "admin": "Administer",
    "manage": "Manage",
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
