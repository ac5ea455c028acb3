"""Answers of today's services: more fields, numbers as numbers, pages by token, error codes."""

import zlib
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import orjson

from portal.contract.accounts import Accounts
from portal.contract.meetings import Meetings
from portal.contract.operation import Operation
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
_WITHOUT_FIXED_TIME = 60  # minutes
_MEETING_SETTINGS = {
    "host_video": False,
    "participant_video": False,
    "enforce_login": False,
    "registrants_email_notification": True,
    "meeting_authentication": False,
}


def shaped(
    content: bytes, operation: Operation[Any, Any], ids: Sequence[str], asked: Parameters
) -> bytes:
    """Returns the content of a success in the form of today."""
    document = orjson.loads(content)
    if not isinstance(document, dict):
        return content
    if "page_size" in document:
        document["next_page_token"] = token_after(document, operation, ids, asked)
    if "page_count" in document:
        size = document["page_size"]
        document["page_count"] = max(1, -(-document["total_records"] // size))
    if complete := _COMPLETED.get(operation.name):
        complete(document)
    if operation.family in _WITH_NUMBERS:
        document = _with_numbers(document)
    return orjson.dumps(renamed(document, KEYS.get(operation.name, {})))


def _complete_people(page: Document) -> None:
    """Adds the status, the role and whether the address is verified. Pending people have no id
    yet."""
    listed = {each["id"]: each for each in page["users"]}
    for user in User.objects.filter(id__in=listed).only("status", "role", "language"):
        _complete(listed[user.id], user)
        if user.status == UserStatus.PENDING:
            del listed[user.id]["id"]


def _complete_person(person: Document) -> None:
    _complete(person, User.objects.only("status", "role", "language").get(id=person["id"]))


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
