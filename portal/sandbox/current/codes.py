"""Error codes of today's services, and their messages if programs depend on these."""

from portal.sandbox.errors import (
    Conflict,
    InvalidInput,
    NotFound,
    ServiceError,
    Unauthorized,
    WrongMethod,
)

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
