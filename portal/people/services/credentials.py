"""What a person signs in and claims meetings with."""

from portal.access.models import Connection
from portal.client import Api
from portal.contract.users import EmailChange, EmailQuery, PasswordChange, UserUpdate
from portal.people.services.person import settle


def email_is_taken(api: Api, email: str) -> bool:
    return api.users.email_exists(EmailQuery(email=email)).existed_email


def change_email(api: Api, connection: Connection, user_id: str, change: EmailChange) -> None:
    api.users.change_email(user_id, change)
    settle(api, connection, user_id)


def change_password(api: Api, user_id: str, change: PasswordChange) -> None:
    api.users.change_password(user_id, change)


def change_host_key(api: Api, connection: Connection, user_id: str, change: UserUpdate) -> None:
    api.users.update(user_id, change)
    settle(api, connection, user_id)
