"""A made-up service that returns lists of people as a test wants them."""

from collections.abc import Callable
from typing import Any

from portal.contract.users import UserStatus
from tests.support.fault_server import Behaviour, Exchange, Seen, answer, depending

ACTIVE = UserStatus.ACTIVE.value


def person(number: int) -> dict[str, Any]:
    return {"id": f"u{number}", "email": f"u{number}@example.com", "type": 1, "first_name": "Ada"}


def page_of(people: list[dict[str, Any]], seen: Seen, *, size: int = 300) -> dict[str, Any]:
    """The page that was asked for; a service may keep pages smaller than it is asked to."""
    number = int(seen.query.get("page_number", "1"))
    size = min(size, int(seen.query.get("page_size", "30")))
    data = people if seen.query["status"] == ACTIVE else []
    here = data[(number - 1) * size : number * size]
    return {
        "page_count": len(here),
        "page_number": number,
        "page_size": size,
        "total_records": len(data),
        "users": here,
    }


def people_list(people: list[dict[str, Any]], *, size: int = 300) -> Behaviour:
    """Active people, in pages."""
    return depending(lambda seen: answer(200, page_of(people, seen, size=size)))


def on_page(
    number: int, then: Callable[[Exchange], None], otherwise: Behaviour, status: str = ACTIVE
) -> Behaviour:
    """Another behaviour for one page of a list."""

    def choose(seen: Seen) -> Behaviour:
        is_it = seen.query["status"] == status and seen.query.get("page_number", "1") == str(number)
        return then if is_it else otherwise

    return depending(choose)
