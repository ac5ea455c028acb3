"""Requests to the servers, and the factor over the mock that each is meant to reach."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bench.load import Workload
from bench.servers import Server

_LARGEST_PAGE = 300
_NEW_USER = {
    "action": "create",
    "user_info": {
        "email": "{unique}@brightwater.example",
        "type": 1,
        "first_name": "Ada",
        "last_name": "Byron",
    },
}


@dataclass(frozen=True)
class Aim:
    """A share of the rate at which the mock answers a workload."""

    of: str
    share: float


AIMS = {
    "user_page_30": Aim("user_page_30", 1.5),
    "user_page_300": Aim("user_page_30", 0.7),
    "create_user": Aim("create_user", 1.5),
}
NOT_OF_A_MOCK = {"user_page_300"}


def workloads(ids: list[str], users: int) -> Iterator[Workload]:
    """Over the people with these ids, and all pages that are there at both sizes."""
    pages = range(1, max(1, users // _LARGEST_PAGE) + 1)
    for size in (30, _LARGEST_PAGE):
        targets = tuple(f"/users?page_size={size}&page_number={page}" for page in pages)
        yield Workload(f"user_page_{size}", f"GET /users, {size} a page", targets)
    yield Workload("user", "GET /users/{id}", tuple(f"/users/{each}" for each in ids))
    body = json.dumps(_NEW_USER)
    yield Workload("create_user", "POST /users", ("/users",), "POST", body)
    today = datetime.now(UTC).date()
    days = f"from={today - timedelta(days=1)}&to={today}"
    live = f"/metrics/meetings?type=live&{days}"
    yield Workload("live_meetings", "GET /metrics/meetings, live", (live,))


def at(server: Server, workload: Workload) -> Workload:
    """The workload with the addresses that it has at a server."""
    return replace(workload, targets=tuple(map(server.address, workload.targets)))
