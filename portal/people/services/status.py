"""Whether a person may sign in at all."""

from portal.access.models import Connection
from portal.client import Api
from portal.contract.users import StatusAction, StatusChange, UserStatus
from portal.people.services.person import settle

RESULT = {
    StatusAction.ACTIVATE: UserStatus.ACTIVE,
    StatusAction.DEACTIVATE: UserStatus.INACTIVE,
}


def change_status(api: Api, connection: Connection, user_id: str, action: StatusAction) -> None:
    api.users.change_status(user_id, StatusChange(action=action))
    settle(api, connection, user_id, RESULT[action])


def revoke_token(api: Api, user_id: str) -> None:
    """Ends the single sign-on token that the person holds."""
    api.users.revoke_token(user_id)
