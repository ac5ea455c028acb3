"""People: list, read, create and change (spec 4.4)."""

import re
import secrets

import orjson
from django.db import connection

from portal.contract.problems import FieldProblem
from portal.contract.sign_in import LoginType, SignInQuery
from portal.contract.users import (
    CreateAction,
    CreatedUser,
    EmailExists,
    EmailQuery,
    LicenceType,
    NewUser,
    NewUserInfo,
    UserQuery,
    Users,
    UserStatus,
    UserUpdate,
    VanityNameExists,
    VanityNameQuery,
)
from portal.sandbox.errors import Conflict, InvalidInput, NotFound, invalid
from portal.sandbox.families.account import ACCOUNT_ID
from portal.sandbox.families.lookup import email_is_taken, user_called
from portal.sandbox.families.pictures import picture_url
from portal.sandbox.http import Created, Request, location
from portal.sandbox.models import User
from portal.sandbox.paging import Listing
from portal.sandbox.serving import serves
from portal.sandbox.writing import Insertion

_VANITY_NAME = re.compile(r"[A-Za-z][A-Za-z0-9.-]{4,39}")
_HIRE = Insertion(User, "email_key")
_PEOPLE = Listing("users", User, "status = %s", "id")
_ONE = (
    "SELECT fragment, cms_user_id, host_key, language, pmi, vanity_name, use_pmi, status,"
    " login_type, (SELECT key FROM sandbox_picture WHERE user_id = id) FROM sandbox_user"
)
_SIGN_INS = {
    CreateAction.CREATE: LoginType.SERVICE,
    CreateAction.AUTO_CREATE: LoginType.SERVICE,
    CreateAction.CUST_CREATE: LoginType.API,
    CreateAction.SSO_CREATE: LoginType.SSO,
}


@serves(Users.list)
def list_users(query: UserQuery) -> bytes:
    return _PEOPLE.page(query, query.status.value)


@serves(Users.get)
def get(request: Request, user_id: str, query: SignInQuery) -> bytes:
    """Returns a person by one prepared statement, since portals read people all day."""
    with connection.cursor() as cursor:
        cursor.execute(*_one_called(user_id))
        found = cursor.fetchone()
    if found is None:
        raise NotFound("user")
    fragment, cms_user_id, host_key, language, pmi, vanity, use_pmi, status, login, picture = found
    check_sign_in(login, query)
    data = {
        **orjson.loads(fragment),
        "account_id": ACCOUNT_ID,
        "cms_user_id": cms_user_id,
        "host_key": host_key,
        "language": language,
        "personal_meeting_url": f"https://conf.example/j/{pmi}",
        "pic_url": picture_url(request, picture),
        "vanity_url": f"https://conf.example/my/{vanity}" if vanity else "",
        "use_pmi": bool(use_pmi),
        "verified": int(status != UserStatus.PENDING),
    }
    return orjson.dumps(data)


def _one_called(name: str) -> tuple[str, list[str]]:
    """Returns the statement that reads a person by id or email, and its parameters."""
    if "@" in name:
        return f"{_ONE} WHERE email_key = %s", [name.lower()]
    return f"{_ONE} WHERE id = %s", [name]


@serves(Users.create, is_one_statement=True)
def create(body: NewUser) -> Created:
    info = body.user_info
    _check_password(body.action, info)
    invited = body.action == CreateAction.CREATE
    user = User(
        email=info.email,
        first_name=info.first_name or "",
        last_name=info.last_name or "",
        type=info.type.value,
        status=(UserStatus.PENDING if invited else UserStatus.ACTIVE).value,
        login_type=_SIGN_INS[body.action].value,
    )
    if body.action == CreateAction.SSO_CREATE and info.type != LicenceType.BASIC:
        user.vanity_name = _vanity_name_from(info.email)
    user.prepare([], [])
    if not _HIRE(user):
        raise Conflict("user_info.email", "A user with this email exists.")
    created = CreatedUser(
        id=user.id,
        email=user.email,
        first_name=user.first_name,
        last_name=user.last_name,
        type=info.type,
    )
    return Created(location(Users.get, user.id), created)


@serves(Users.update)
def update(user_id: str, body: UserUpdate) -> None:
    user = user_called(user_id)
    changes = body.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    broken = [*_pmi_problems(user, body), *_vanity_problems(user, body)]
    if broken:
        raise InvalidInput(*broken)
    for name, value in changes.items():
        setattr(user, name, value)
    user.save()


@serves(Users.email_exists)
def email_exists(query: EmailQuery) -> EmailExists:
    return EmailExists(existed_email=email_is_taken(query.email))


@serves(Users.vanity_name_exists)
def vanity_name_exists(query: VanityNameQuery) -> VanityNameExists:
    return VanityNameExists(existed=_vanity_name_is_taken(query.vanity_name))


def check_sign_in(login_type: str, query: SignInQuery) -> None:
    """Refuses a sign-in type that the person does not have."""
    if query.login_type and query.login_type.value != login_type:
        raise NotFound("user")


def _check_password(action: CreateAction, info: NewUserInfo) -> None:
    field = "user_info.password"
    if action == CreateAction.AUTO_CREATE and info.password is None:
        raise invalid(field, "This field is required for autoCreate.")
    if action != CreateAction.AUTO_CREATE and info.password is not None:
        raise invalid(field, f"A password does not go with {action.value}.")


def _pmi_problems(user: User, body: UserUpdate) -> list[FieldProblem]:
    taken = body.pmi and User.objects.filter(pmi=body.pmi).exclude(id=user.id).exists()
    return [FieldProblem("pmi", "Another person has this personal meeting ID.")] if taken else []


def _vanity_problems(user: User, body: UserUpdate) -> list[FieldProblem]:
    name = body.vanity_name
    if not name:
        return []
    if not _VANITY_NAME.fullmatch(name):
        message = "Use 5 to 40 letters, digits, dots and hyphens, a letter first."
    elif _vanity_name_is_taken(name, except_for=user):
        message = "Another person has this personal link name."
    else:
        return []
    return [FieldProblem("vanity_name", message)]


def _vanity_name_is_taken(name: str, except_for: User | None = None) -> bool:
    others = User.objects.filter(vanity_key=name.lower())
    return (others.exclude(id=except_for.id) if except_for else others).exists()


def _vanity_name_from(email: str) -> str:
    """Returns the local part of the email, or a random name if that is invalid or taken."""
    name = email.partition("@")[0].lower()
    if _VANITY_NAME.fullmatch(name) and not _vanity_name_is_taken(name):
        return name
    return f"r{secrets.token_hex(5)}"
