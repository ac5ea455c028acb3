"""Failures between the portal and the conferencing service.

    ApiError
    ├── Unreachable          no connection could be made, or a read or a repeatable write broke off
    ├── TimedOut             no answer to a read or a repeatable write within the time allowed
    ├── OutcomeUnknown       a write may or may not have been carried out; never resend it blindly
    └── Answered             the service answered, with a status that is no success
        ├── Unauthorized     401, 403: the token is not valid, or its account not allowed to do this
        ├── NotFound         404
        ├── NotAvailable     whatever is asked: the scope, the plan or the service lacks it
        ├── Conflict         409: the name or email is taken
        ├── Invalid          300, 400, 405, 413, 415, 422: what was sent is refused, field by field
        ├── Throttled        429, or our own limit: too many requests, with the seconds to wait
        ├── ServerFault      5xx
        └── Unexpected       anything else, or an answer that the document does not describe

None carries the token, nor a request, response or lower exception that would; all can be pickled.
"""

from copyreg import __newobj__  # type: ignore[attr-defined]
from http import HTTPStatus
from typing import Any, Literal

from portal.client.limits import Quota, Reach
from portal.contract.operation import AnyOperation
from portal.contract.problems import FieldProblem
from portal.contract.words import Message

# A token without the scope, an app without the permission, a plan without the feature and a service
# without the operation refuse whatever is sent. Services say so by codes of their own, by RFC 6750,
# or by a 404 for a list.
Lack = Literal["scope", "permission", "plan", "service"]
Reason = Literal["", "address", "certificate", "connect", "broken", "timeout", "own_limit"]


class ApiError(Exception):
    """Any failure of a call. `str()` is safe to log and to show.

    `may_have_happened` says whether a write may have been carried out all the same, `is_sign_in`
    that no token could be had for it, `renews` that its token is renewed by itself. What only an
    answer of the service has is unset without one (`Answered`).
    """

    status: int | None = None
    fields: tuple[FieldProblem, ...] = ()
    retry_after: float | None = None
    is_sign_in = False
    renews = False

    def __init__(
        self, operation: AnyOperation, message: str | Message, *, reason: Reason = ""
    ) -> None:
        super().__init__(operation.name, message)
        self.operation = operation
        self._message = message
        self.reason = reason
        self.may_have_happened = operation.method != "GET" and self._leaves_open()

    @property
    def message(self) -> str:
        """Why it failed: the service's own words, or ours in the language of the reader."""
        return str(self._message)

    @property
    def is_quoted(self) -> bool:
        """Returns whether the message is the service's own."""
        return isinstance(self._message, str)

    def _leaves_open(self) -> bool:
        return True

    def __str__(self) -> str:
        return f"{self.operation.name}: {self.message}"

    def __reduce__(self) -> tuple[Any, ...]:
        return __newobj__, (type(self), *self.args), self.__dict__


class Unreachable(ApiError):
    """No connection could be made, or it broke off.

    `reason` is `address` (not allowed), `certificate` (not trusted), `connect` or `broken`.
    """

    def _leaves_open(self) -> bool:
        return self.reason == "broken"


class TimedOut(ApiError):
    """No answer came within the time allowed."""


class OutcomeUnknown(ApiError):
    """The connection broke after a write had left: ask the service before sending it again."""


class Answered(ApiError):
    """The service answered with a failure.

    `status` is the HTTP status, `message` the service's own words, `fields` what it said of each
    field of the input, `retry_after` for how many seconds to send nothing. Its support finds the
    call by the `tracking_id`.
    """

    tracking_id: str = ""

    def __init__(
        self,
        operation: AnyOperation,
        message: str | Message,
        *,
        status: int,
        code: int | None = None,
        fields: tuple[FieldProblem, ...] = (),
        retry_after: float | None = None,
        reason: Reason = "",
    ) -> None:
        self.status: int = status
        self.code = code
        self.fields = fields
        self.retry_after = retry_after
        super().__init__(operation, message, reason=reason)

    def _leaves_open(self) -> bool:
        return False

    def __str__(self) -> str:
        return f"{self.operation.name}: {self.status} {self.message}"


class Unauthorized(Answered):
    """The token is not valid (401), or its account or app is not allowed to do this (403)."""

    @property
    def is_of_token(self) -> bool:
        return self.status == HTTPStatus.UNAUTHORIZED


class NotFound(Answered):
    """The object does not exist."""


class NotAvailable(Answered):
    """The operation cannot be had over this connection, whatever is asked.

    It lacks a `scope` (`scopes` are those that the service named), the role of the app's owner
    lacks the `permission`, the account's `plan` does not include it, or the `service` does not
    have it.
    """

    lack: Lack = "service"
    scopes: tuple[str, ...] = ()

    @property
    def may_be_there(self) -> bool:
        """Returns whether the account may have what was asked for all the same."""
        return self.lack in ("scope", "permission")


class Conflict(Answered):
    """The name or email is taken."""


class Invalid(Answered):
    """The service refuses the input."""


class Throttled(Answered):
    """Too many requests.

    `reason` is `own_limit` where the client knew it beforehand, and sent nothing. `quota` is the
    limit that was reached, as far as the service describes it. `reach` says what it holds back.
    """

    quota: Quota | None = None
    reach: Reach = "class"
    names_object = True  # the path of the call; a held operation is so for that object alone

    @property
    def is_narrow(self) -> bool:
        """Returns whether other requests of the same class are not held back."""
        return self.reach != "class"

    @property
    def message(self) -> str:
        """The service's own words, with the limit that was reached where it names one."""
        return f"{super().message} ({self.quota})" if self.quota else super().message


class ServerFault(Answered):
    """The service failed."""

    def _leaves_open(self) -> bool:
        return True


class Unexpected(Answered):
    """An answer that the document does not describe; `field` is the one that is missing or of
    another type, where it is a single one."""

    field: str = ""

    def _leaves_open(self) -> bool:
        return not 400 <= self.status < 500


_BY_STATUS: dict[int, type[Answered]] = {
    300: Invalid,
    400: Invalid,
    401: Unauthorized,
    403: Unauthorized,
    404: NotFound,
    405: Invalid,
    409: Conflict,
    413: Invalid,
    415: Invalid,
    422: Invalid,
    HTTPStatus.TOO_MANY_REQUESTS: Throttled,
}


def answered(status: int) -> type[Answered]:
    """The class of error for a status."""
    return _BY_STATUS.get(status) or (ServerFault if status >= 500 else Unexpected)
