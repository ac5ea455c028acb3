"""Refusals of the service, and their answers.

ServiceError
├── OutOfReach        300, for the report that reaches 6 months back only
├── NotInThePlan      200, as services of today refuse what the account's plan does not have
├── InvalidInput      400, each broken field named
├── ScopeMissing      400, with the scope that the token lacks
├── Unauthorized      401
├── NotFound          404
├── WrongMethod       405, with the methods that are allowed
├── Conflict          409, the field that must be unique named
├── PayloadTooLarge   413
├── WrongMediaType    415
├── Throttled         429, with Retry-After
└── Fault             500, 502 or 503, at the rate that was asked for
"""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from portal.contract.problems import FieldProblem


class ServiceError(Exception):
    """A refusal of a request, with its status and its answer."""

    status = 400
    code: int | None = None  # that of the document, where it is not the status

    def __init__(
        self,
        message: str,
        *problems: FieldProblem,
        headers: Iterable[tuple[str, str]] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.problems = problems
        self.headers = list(headers)

    def document(self) -> dict[str, Any]:
        return {
            "code": self.code or self.status,
            "message": self.message,
            "errors": [
                {"field": problem.field, "message": problem.message} for problem in self.problems
            ],
        }


class OutOfReach(ServiceError):
    status = 300


class NotInThePlan(ServiceError):
    status = code = 200

    def __init__(self) -> None:
        super().__init__("Only available for Paid or ZMP account.")


class ScopeMissing(ServiceError):
    code = 4711

    def __init__(self, scope: str) -> None:
        super().__init__(f"Invalid access token, does not contain scopes:[{scope}].")


class InvalidInput(ServiceError):
    def __init__(self, *problems: FieldProblem) -> None:
        super().__init__("The request is not valid.", *problems)


class Unauthorized(ServiceError):
    status = 401

    def __init__(self) -> None:
        super().__init__(
            "The access token is missing or not valid.", headers=[("WWW-Authenticate", "Bearer")]
        )


class NotFound(ServiceError):
    status = 404

    def __init__(self, what: str) -> None:
        super().__init__(f"There is no such {what}.")
        self.what = what


class WrongMethod(ServiceError):
    status = 405

    def __init__(self, allowed: Iterable[str]) -> None:
        methods = ", ".join(sorted(allowed))
        super().__init__(f"Only {methods} can be used here.", headers=[("Allow", methods)])


class Conflict(ServiceError):
    status = 409

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message, FieldProblem(field, message))


class PayloadTooLarge(ServiceError):
    status = 413

    def __init__(self, limit: int) -> None:
        super().__init__(f"The body is larger than {limit:,} bytes.")


class WrongMediaType(ServiceError):
    status = 415

    def __init__(self, expected: str) -> None:
        super().__init__(f"The body must be {expected}.")


class Throttled(ServiceError):
    status = 429

    def __init__(
        self, message: str, retry_after: str, limits: Iterable[tuple[str, str]] = ()
    ) -> None:
        super().__init__(message, headers=[("Retry-After", retry_after), *limits])


class Fault(ServiceError):
    def __init__(self, status: int) -> None:
        super().__init__(f"{HTTPStatus(status).phrase}.")
        self.status = status


def invalid(field: str, message: str) -> InvalidInput:
    """Returns the refusal of a request for one broken field."""
    return InvalidInput(FieldProblem(field, message))
