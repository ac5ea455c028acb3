"""Tokens that start meetings in a person's name: for whom they are issued."""

from portal.client import Api, NotFound
from portal.contract.users import LoginType, SignInQuery


def is_api_user(api: Api, user_id: str) -> bool:
    """Returns whether a person is a user of the interface, who cannot sign in. Raises `ApiError`.

    The service reports nobody's sign-in; it finds a person only by one that they have.
    """
    try:
        api.users.get(user_id, SignInQuery(login_type=LoginType.API))
    except NotFound:
        return False
    return True
