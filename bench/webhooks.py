"""`make bench-webhooks`: deliveries that come twice and out of order, and the page that lists them.

10,000 notifications about the sandbox's own meetings, a third of them once more, all shuffled, go
through the whole portal but the web server. Each has to stand in the log once, and the mirror has
to be as the service then has it. The page is asked for with a hundred deliveries and with all.
"""

import argparse
import base64
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import httpx

from bench import portal, servers
from bench.asking import figures
from bench.command import Aim, Options, finish, say
from bench.servers import Server

_PASSWORD = "bench"  # noqa: S105
_AIM_P95_MS = 100.0
AIMS = (
    Aim("The log, p95 in ms", "worst_p95_ms", _AIM_P95_MS, at_most=True),
    Aim("Meetings that differ from the service's", "meetings_differing", 0, at_most=True),
)
_FEW = 100
_EVENTS = ("meeting_started", "meeting_ended", "meeting_registered")


def main() -> None:
    given = _arguments()
    with (
        TemporaryDirectory() as made,
        TemporaryDirectory() as kept,
        servers.sandbox(Path(kept), given.users, "--frozen") as service,
    ):
        portal.configure(Path(made), ALLOWED_HOSTS="testserver,127.0.0.1")
        data = _measured(given, portal.connect(service), service)
    finish(data, AIMS)


def _arguments() -> argparse.Namespace:
    parser = Options(
        "webhooks", __doc__, deliveries=200, doubles=50, users=20, meetings=10, times=2
    )
    parser.add_argument("--deliveries", type=int, default=10_000, help="that differ")
    parser.add_argument("--doubles", type=int, default=3_000, help="that come once more")
    parser.add_argument("--users", type=int, default=100, help="of the sandbox")
    parser.add_argument("--meetings", type=int, default=200, help="that are reported of, at most")
    parser.add_argument("--times", type=int, default=40, help="requests of each kind of the page")
    return parser.given()


def _measured(given: argparse.Namespace, key: str, service: Server) -> dict[str, Any]:
    from portal.access.models import Connection  # noqa: PLC0415 - models need the setup
    from portal.webhooks.models import Delivery  # noqa: PLC0415

    connection = Connection.objects.get(key=key)
    subscription = _subscription(connection)
    chance = random.Random(7)  # noqa: S311
    meetings = _meetings(service, given.meetings)
    some = list(_notifications(given.deliveries, meetings))
    sent = [*some, *chance.sample(some, min(given.doubles, len(some)))]
    chance.shuffle(sent)
    few, rest = sent[:_FEW], sent[_FEW:]
    _send(subscription.path, few)
    small = _pages(connection, given.times)
    seconds = _send(subscription.path, rest)
    large = _pages(connection, given.times)
    new, doubled = (
        len(some) - Delivery.objects.count(),
        sum(times - 1 for times in Delivery.objects.values_list("times", flat=True)),
    )
    if new or doubled != len(sent) - len(some):
        raise RuntimeError(f"{new} deliveries are missing, and {doubled} count as doubles.")
    began = time.perf_counter()
    differing = _differing(connection, meetings)
    if differing:
        raise RuntimeError(f"{differing} of the meetings are not as the service has them.")
    reread = time.perf_counter() - began
    refused = _send(subscription.path, some[:1000], "wrong")
    rates = {
        "taken": len(rest) / seconds,
        "doubles": 1000 / _send(subscription.path, some[:1000]),
        "wrong password": min(len(some), 1000) / refused,
    }
    say(*_table(rates, small, large))
    return {
        "deliveries": len(sent),
        "kept": len(some),
        "doubles": doubled,
        "deliveries_per_second": round(rates["taken"], 1),
        "doubles_per_second": round(rates["doubles"], 1),
        "refused_per_second": round(rates["wrong password"], 1),
        "meetings": len(meetings),
        "meetings_differing": differing,
        "reread_seconds": round(reread, 1),
        "rows": len(some),
        "aim_p95_ms": _AIM_P95_MS,
        "worst_p95_ms": max(each["p95_ms"] for each in large.values()),
        "page": large,
        f"page_of_{_FEW}": small,
    }


def _subscription(connection: Any) -> Any:
    from django.utils import timezone  # noqa: PLC0415 - models need the setup

    from portal.mirror.models import MirrorState  # noqa: PLC0415
    from portal.sessions import mirror  # noqa: PLC0415
    from portal.webhooks.models import Subscription  # noqa: PLC0415

    state = mirror.state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(viewed_at=timezone.now())
    made = Subscription(connection=connection, path="bench", auth_user="bench")
    made.set_password(_PASSWORD)
    made.save()
    return made


def _meetings(service: Server, most: int) -> dict[str, str]:
    """The topics of scheduled meetings as the service has them, by their numbers."""
    found: dict[str, str] = {}
    with httpx.Client(base_url=f"http://127.0.0.1:{service.port}/v2", timeout=30) as client:
        asked = {"access_token": service.token, "page_size": "300"}
        for user in client.get("/users", params=asked).json()["users"]:
            url = f"/users/{user['id']}/meetings"
            of_user = client.get(url, params={**asked, "type": "scheduled"}).json()
            found |= {str(one["id"]): one["topic"] for one in of_user.get("meetings", ())}
            if len(found) >= most:
                break
    return dict(list(found.items())[:most])


def _notifications(count: int, meetings: dict[str, str]) -> Iterator[dict[str, Any]]:
    numbers = list(meetings)
    for at in range(count):
        minute, second = divmod(at, 60)
        hour, minute = divmod(minute, 60)
        about = {"id": numbers[at % len(numbers)], "type": 2, "uuid": f"uuid-{at}=="}
        yield {
            "event": _EVENTS[at % len(_EVENTS)],
            "event_id": f"event-{at:06}",
            "event_time": f"2026-05-04T{hour:02}:{minute:02}:{second:02}Z",
            "account_id": "bench",
            "payload": {"object": about | {"host_id": "host", "topic": f"Outdated {at}"}},
        }


def _send(path: str, notifications: Sequence[dict[str, Any]], password: str = _PASSWORD) -> float:
    """Delivers them, one after the other. Returns the seconds."""
    from django.test import Client  # noqa: PLC0415 - models need the setup

    client = Client()
    signed = base64.b64encode(f"bench:{password}".encode()).decode()
    headers = {"Authorization": f"Basic {signed}"}
    wanted = 204 if password == _PASSWORD else 401
    bodies = [json.dumps(one) for one in notifications]
    began = time.perf_counter()
    for body in bodies:
        answer = client.post(
            f"/hooks/{path}/", body, content_type="application/json", headers=headers
        )
        if answer.status_code != wanted:
            raise RuntimeError(f"A delivery was answered with {answer.status_code}")
    return time.perf_counter() - began


def _pages(connection: Any, times: int) -> dict[str, dict[str, float]]:
    from django.test import Client  # noqa: PLC0415 - models need the setup
    from django.urls import reverse  # noqa: PLC0415

    from portal.webhooks.models import Delivery  # noqa: PLC0415

    client = Client()
    client.force_login(connection.owner)
    url = reverse("webhooks:deliveries", args=[connection.key])
    newest = Delivery.objects.latest("pk").pk
    asked: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
        "whole page": ({}, {}),
        "newest": ({}, _PART),
        "in the middle": ({"before": newest - Delivery.objects.count() // 2}, _PART),
        "a word": ({"q": "outdated 77"}, _PART),
        "doubled": ({"did": "doubled"}, _PART),
        "an event": ({"event": "meeting_ended", "period": "today"}, _PART),
        "one open": ({"open": newest}, _PART),
    }
    tag = client.get(url, headers=_PART)["ETag"]
    asked["unchanged"] = ({}, {**_PART, "If-None-Match": tag})
    taken: dict[str, list[float]] = {name: [] for name in asked}
    for round_ in range(times + 2):
        for name, (query, headers) in asked.items():
            began = time.perf_counter()
            answer = client.get(f"{url}?{urlencode(query)}", headers=headers)
            seconds = time.perf_counter() - began
            if answer.status_code not in (200, 304):
                raise RuntimeError(f"{name} was answered with {answer.status_code}")
            if round_ >= 2:  # the first ones fill caches
                taken[name].append(seconds)
    return {name: figures(each) for name, each in taken.items()}


_PART = {"HX-Request": "true", "HX-Target": "deliveries"}


def _differing(connection: Any, meetings: dict[str, str]) -> int:
    """Returns the number of meetings that differ from the service's, once all were read again."""
    from portal.sessions import rereading  # noqa: PLC0415 - models need the setup
    from portal.sessions.models import MirroredSession, SessionToRead  # noqa: PLC0415

    for _ in range(20):
        if not SessionToRead.objects.exists():
            break
        rereading.reread(connection.pk)
    known = MirroredSession.objects.filter(connection=connection)
    topics = dict(known.values_list("session_id", "topic"))
    return sum(topics.get(number) != topic for number, topic in meetings.items())


def _table(
    rates: dict[str, float],
    small: dict[str, dict[str, float]],
    large: dict[str, dict[str, float]],
) -> Iterator[str]:
    yield _row("Deliveries", "per second", "ratio to new")
    for name, rate in rates.items():
        yield _row(name, f"{rate:.0f}", f"{rate / rates['taken']:.2f}")
    yield ""
    yield _row("The log, p95 in ms", f"{_FEW} rows", "all rows", "ratio")
    for name, each in large.items():
        before, now = small[name]["p95_ms"], each["p95_ms"]
        met = "" if now < _AIM_P95_MS else " !"
        yield _row(name, f"{before:.1f}", f"{now:.1f}{met}", f"{now / before:.2f}")
    yield ""


def _row(title: str, *cells: str) -> str:
    return f"{title:<28}" + "".join(f"{cell:>16}" for cell in cells)


if __name__ == "__main__":
    main()
