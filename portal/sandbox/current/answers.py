"""Answers of today's services: more fields, numbers as numbers, pages by token, error codes."""

import zlib
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from pydantic_core import from_json, to_json

from portal.contract.accounts import Accounts
from portal.contract.chat import Chat
from portal.contract.meetings import Meetings
from portal.contract.metrics import Metrics
from portal.contract.operation import Operation
from portal.contract.recordings import Recordings
from portal.contract.users import Users, UserStatus
from portal.contract.webinars import Webinars
from portal.sandbox.current.names import KEYS
from portal.sandbox.current.positions import Parameters, token_after
from portal.sandbox.errors import (
    Conflict,
    InvalidInput,
    NotFound,
    ServiceError,
    Unauthorized,
    WrongMethod,
)
from portal.sandbox.identifiers import timestamp
from portal.sandbox.models import Role, Session, User
from portal.sandbox.parsing import renamed

Document = dict[str, Any]

_ROLES = {Role.OWNER: "0", Role.ADMINISTRATOR: "1", Role.MEMBER: "2"}
_NUMBERS = {"id", "pmi", "total_size", "recording_count", "file_size"}
_LONGEST_NUMBER = 15
_WITH_NUMBERS = {
    "users",
    "meetings",
    "meeting_registrants",
    "webinars",
    "webinar_registrants",
    "recordings",
    "metrics",
    "reports",
    "past_meetings",
}
_SUBSCRIBED = timedelta(days=365)
_WITH_SIGN_IN = {one.name for one in (Meetings.create, Meetings.get, Webinars.create, Webinars.get)}
_WITHOUT_FIXED_TIME = 60  # minutes
_MEETING_SETTINGS = {
    "host_video": False,
    "participant_video": False,
    "enforce_login": False,
    "enforce_login_domains": "",
    "registrants_email_notification": True,
}


def shaped(
    content: bytes, operation: Operation[Any, Any], ids: Sequence[str], asked: Parameters
) -> bytes:
    """Returns the content of a success in the form of today."""
    document = from_json(content)
    if not isinstance(document, dict):
        return content
    if "page_size" in document:
        document["next_page_token"] = token_after(document, operation, ids, asked)
    if "page_count" in document:
        size = document["page_size"]
        document["page_count"] = max(1, -(-document["total_records"] // size))
    if complete := _COMPLETED.get(operation.name):
        complete(document)
    if operation.name == Chat.messages.name:
        _list_apart(document, "".join(asked.get("include_fields", ())).split(","))
    if operation.family in _WITH_NUMBERS:
        document = _with_numbers(document)
    document = renamed(document, KEYS.get(operation.name, {}))
    if operation.name in _WITH_SIGN_IN and "settings" in document:
        _repeat_sign_in(document["settings"])
    return to_json(document)


def _list_apart(page: Document, asked: Sequence[str]) -> None:
    """Takes messages that were edited or deleted out of the list, into those that are asked for."""
    messages = page["messages"]
    page["messages"] = [one for one in messages if not one.get("action")]
    for name, action in (("edited_messages", "edit"), ("deleted_messages", "delete")):
        if name in asked:
            page[name] = [one for one in messages if one.get("action") == action]


def _repeat_sign_in(settings: Document) -> None:
    """Adds the settings of sign-in under their earlier names too."""
    settings.setdefault("meeting_authentication", False)
    for earlier, name in KEYS[Meetings.get.name].items():
        if name in settings:
            settings[earlier] = settings[name]


def _complete_people(page: Document) -> None:
    """Adds the status, the role and whether the address is verified. Pending people have no id
    yet."""
    listed = {each["id"]: each for each in page["users"]}
    for user in User.objects.filter(id__in=listed).only("status", "role", "language"):
        _complete(listed[user.id], user)
        if user.status == UserStatus.PENDING:
            del listed[user.id]["id"]


def _complete_person(person: Document) -> None:
    """Adds what lists have too. The host key is in lists alone, on request."""
    _complete(person, User.objects.only("status", "role", "language").get(id=person["id"]))
    person.pop("host_key", None)


def _complete(person: Document, user: User) -> None:
    person["status"] = user.status
    person["verified"] = int(user.status != UserStatus.PENDING)
    person["role_id"] = _ROLES[Role(user.role)]
    person["language"] = user.language


def _complete_sessions(page: Document) -> None:
    for each in page.get("meetings") or page.get("webinars") or ():
        each.setdefault("duration", _WITHOUT_FIXED_TIME)


def _complete_session(session: Document) -> None:
    """Adds the state, and the passwords in all forms in which people enter them."""
    runs = Session.objects.filter(number=session["id"], live_since__isnull=False).exists()
    password = session.setdefault("password", "")
    digits = session.setdefault("h323_password", "")
    session["status"] = "started" if runs else "waiting"
    session["pstn_password"] = digits
    session["encrypted_password"] = f"{zlib.crc32(password.encode()):08x}" if password else ""
    session.setdefault("duration", _WITHOUT_FIXED_TIME)
    session["settings"] = {**_MEETING_SETTINGS, **session.get("settings", {})}


def _add_password(webinar: Document) -> None:
    """Adds the password of a webinar, which the document does not report."""
    session = Session.objects.only("password").get(number=webinar["id"])
    webinar["password"] = session.password


def _add_recording_sign_in(settings: Document) -> None:
    settings.setdefault("recording_authentication", False)


def _count_sent_messages(page: Document) -> None:
    """Leaves out what is not counted any more, and adds what is: messages to one person, and
    texts."""
    for each in page["users"]:
        for name in [one for one in each if one.endswith("_receive") or one.startswith("calls_")]:
            del each[name]
        each["p2p_sent"] = each["total_send"] - each["group_send"]
        each["text_sent"] = each["total_send"] - each["files_send"]


def _number_account(account: Document) -> None:
    account["account_number"] = 10**9 + zlib.crc32(account["id"].encode()) % 10**9


def _complete_account(account: Document) -> None:
    _number_account(account)
    if created := account.get("created_at"):
        end = timestamp(datetime.fromisoformat(created) + _SUBSCRIBED)
        account.setdefault("subscription_start_time", created)
        account.setdefault("subscription_end_time", end)


def _complete_accounts(page: Document) -> None:
    for each in page["accounts"]:
        _complete_account(each)


_COMPLETED: dict[str, Callable[[Document], None]] = {
    Users.list.name: _complete_people,
    Users.get.name: _complete_person,
    Meetings.of_user.name: _complete_sessions,
    Meetings.create.name: _complete_session,
    Meetings.get.name: _complete_session,
    Webinars.of_user.name: _complete_sessions,
    Webinars.create.name: _add_password,
    Webinars.get.name: _add_password,
    Metrics.im.name: _count_sent_messages,
    Recordings.settings.name: _add_recording_sign_in,
    Accounts.list.name: _complete_accounts,
    Accounts.get.name: _number_account,
}


def _with_numbers(value: Any, name: str = "") -> Any:
    """Returns the body with whole numbers where the document has them as text."""
    if isinstance(value, dict):
        return {key: _with_numbers(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_numbers(each) for each in value]
    is_number = name in _NUMBERS and isinstance(value, str) and value.isascii() and value.isdigit()
    if is_number and len(value) <= _LONGEST_NUMBER and (value == "0" or value[0] != "0"):
        return int(value)
    return value


_WRONG_TOKEN = 124
_NO_SUCH_OPERATION = 2300
_INVALID, _TAKEN = 300, 1005
_UNKNOWN = {
    "user": 1001,
    "meeting": 3001,
    "past meeting": 3001,
    "meeting or webinar": 3001,
    "webinar": 3001,
    "registrant": 3303,
    "recording": 3301,
    "group": 4130,
    "member": 4131,
    "account": 2001,
}


def coded(error: ServiceError) -> ServiceError:
    """Sets the code that a refusal has today. A refusal with a code of its own keeps it."""
    match error:
        case Unauthorized():
            error.code, error.message = _WRONG_TOKEN, "Invalid access token."
        case NotFound(what="operation") | WrongMethod():
            error.code = _NO_SUCH_OPERATION
            error.message = "This API endpoint is not recognized."
        case NotFound():
            error.code = _UNKNOWN.get(error.what)
        case InvalidInput():
            error.code = _INVALID
        case Conflict():
            error.code = _TAKEN
    return error
