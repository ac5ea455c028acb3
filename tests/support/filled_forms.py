"""Entries of a person in the forms of the portal, over the present values, by route.

The service of the tests answers with its samples, so each of these differs from them.
"""

from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from tests.support.samples import WORDS

Typed = dict[str, Any]

_PERSON = {"email": "ada@example.com", "first_name": "Ada", "last_name": "Byron"}
_PLAN = {"type": "hourly", "hosts": "7"}
_POLL = {
    "title": "Lunch",
    "questions.0.name": "Where?",
    "questions.0.type": "single",
    "questions.0.answers": ["Inside", "Outside"],
}
_CHOSEN = {"kept": WORDS, "confirmed": "1", "matching": "status=approved"}
_SESSION = {
    "host": WORDS,
    "topic": "Board",
    "start_time": "2038-03-01T09:00",
    "timezone": "UTC",
    "tracking_fields.0.value": "4711",
}
_CONTACT = {
    "first_name": "Olive",
    "last_name": "Owner",
    "email": "olive@example.com",
    "phone_number": "+44 20 7946 0000",
    "address": "1 High Street",
    "city": "London",
    "country": "GB",
}

# What follows the address of a page where a person looks something up, or chooses what is listed.
ASKED: dict[str, list[str]] = {
    "dashboards:past": ["", "type=webinars"],
    "people:create-email-check": ["user_info.email=ada@example.com"],
    "people:email-check": ["email=ada@example.com"],
    "people:link-name-check": ["room-vanity_name=ada"],
}

# Another object, about which a page offers something else.
NO_PLANS = "no-plans"
ELSEWHERE: dict[str, dict[str, str]] = {"account:sub-account": {"account_id": NO_PLANS}}

# What follows the address of a form that several pages lead to in different words.
LED_BY: dict[str, str] = {"account:sub-account-plan-change": "plan=hourly"}

# A form that stands on another page than the one that it is sent to.
STANDS_ON: dict[str, str] = {
    "account:sub-account-settings-review": "account:sub-account-settings",
    "account:sub-account-settings-save": "account:sub-account-settings",
    "people:settings-review": "people:settings",
    "people:settings-save": "people:settings",
}

TYPED: dict[str, Typed] = {
    "account:devices-change": {"ip": "192.0.2.9"},
    "account:devices-new": {
        "name": "Lobby",
        "ip": "192.0.2.7",
        "protocol": "SIP",
        "encryption": "auto",
    },
    "account:sub-account-base-plan": {**_PLAN, "said": True},
    "account:sub-account-contact": {"city": "Leeds"},
    "account:sub-account-options": {"meeting_connectors": "Another"},
    "account:sub-account-plan-add": {**_PLAN, "said": True},
    "account:sub-account-plan-change": {**_PLAN, "said": True},
    "account:sub-account-settings-review": {"in_meeting.chat": None},
    "account:sub-account-settings-save": {"in_meeting.chat": None},
    "account:sub-account-subscribe": {
        **{f"contact.{name}": value for name, value in _CONTACT.items()},
        "plan_base.type": "monthly",
        "plan_base.hosts": "3",
    },
    "account:sub-accounts-new": {**_PERSON, "password": "correct horse 1"},
    "account:telephony-change": {"tsp_provider": "Another"},
    "account:tracking-fields-change": {"field": "Unit"},
    "account:tracking-fields-new": {"field": "Unit"},
    "webhooks:webhooks-change": {"auth_user": "other"},
    "webhooks:webhooks-new": {
        "url": "https://hooks.example/a",
        "auth_user": "switch",
        "auth_password": "board-secret",
        "events": ["meeting_started"],
    },
    "webhooks:webhooks-version": {"version": "v2"},
    "groups:change": {"name": "Sales"},
    "groups:create": {"name": "Sales"},
    "groups:members-add": {"emails": "grace@example.com"},
    "im-groups:change": {"name": "Sales"},
    "im-groups:create": {"name": "Sales"},
    "im-groups:members-add": {"emails": "grace@example.com"},
    "meetings:create": _SESSION,
    "meetings:edit": {"topic": "Board"},
    "meetings:livestream-place": {"stream_url": "rtmp://stream.example/in", "stream_key": "key"},
    "meetings:poll": _POLL,
    "meetings:poll-new": _POLL,
    "meetings:recording-remove": {"confirmation": "delete"},
    "meetings:recordings-settings": {"password": "secret"},
    "meetings:registrant-add": _PERSON,
    "meetings:registrants-decide": _CHOSEN,
    "people:assistants-add": {"emails": "grace@example.com"},
    "people:create": {f"user_info.{name}": value for name, value in _PERSON.items()},
    "people:email": {"email": "new@example.com"},
    "people:host-key": {"host_key": "654321"},
    "people:licence": {"type": "2"},
    "people:password": {"password": "correct horse 1"},
    "people:profile-edit": {"room-pmi": "9876512340"},
    "people:remove": {"action": "disassociate", "said": True},
    "people:settings-review": {"in_meeting.chat": None},
    "people:settings-save": {"in_meeting.chat": None},
    "people:tsp": {"conference_code": "654321", "leader_pin": "123456"},
    "people:tsp-new": {"conference_code": "654321", "leader_pin": "123456"},
    "people:zpk": {"zpk": "a-zpk"},
    "webinars:create": _SESSION,
    "webinars:edit": {"topic": "Board"},
    "webinars:panelists-add": {"people": "Ada <ada@example.com>"},
    "webinars:poll": _POLL,
    "webinars:poll-new": _POLL,
    "webinars:recordings-settings": {"password": "secret"},
    "webinars:registrant-add": _PERSON,
    "webinars:registrants-decide": _CHOSEN,
}


def typed_into(route: str, values: Typed) -> Typed:
    """Returns what a form of these values sends then; a switch that is turned off is not sent."""
    sent = {**values, **TYPED.get(route, {})}
    if route == "people:picture":
        sent["picture"] = _picture()
    return {name: value for name, value in sent.items() if value is not None}


def _picture() -> SimpleUploadedFile:
    content = BytesIO()
    Image.new("RGB", (60, 40)).save(content, "PNG")
    return SimpleUploadedFile("me.png", content.getvalue(), "image/png")
