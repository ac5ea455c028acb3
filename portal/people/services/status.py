"""Activating and deactivating people."""

from portal.contract.users import StatusAction, UserStatus

RESULT = {
    StatusAction.ACTIVATE: UserStatus.ACTIVE,
    StatusAction.DEACTIVATE: UserStatus.INACTIVE,
}
