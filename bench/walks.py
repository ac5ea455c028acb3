"""`make bench-walks`: how many of the portal's own functions and modules some ways through it pass.

A newcomer who traces such a way has to read about so many. The pages are asked by a browser of
Django's tests, the jobs are worked on in this process, and the service is a sandbox. Counted are
functions of `portal`, without the sandbox, each once; what a line of code makes (lambdas,
comprehensions) belongs to the function around it.
"""

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from inspect import CO_OPTIMIZED
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from bench import portal, servers
from bench.command import Options, finish, say
from bench.servers import ROOT

_PEOPLE = 14
_SECONDS = 60.0
_OURS = f"{ROOT}/portal/"
_SANDBOX = f"{ROOT}/portal/sandbox/"
Walk = Callable[[], object]


class Trace:
    """The functions that were entered, in all threads."""

    def __init__(self) -> None:
        self.functions: set[tuple[str, str]] = set()
        self.calls = 0

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(_OURS):
            return
        if code.co_filename.startswith(_SANDBOX) or code.co_name.startswith("<"):
            return
        if not code.co_flags & CO_OPTIMIZED:  # the body of a class, of a module read by the way
            return
        self.functions.add((code.co_filename, code.co_qualname))
        self.calls += 1

    @contextmanager
    def running(self) -> Iterator[None]:
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


def main() -> None:
    Options("walks", __doc__).given()  # they take seconds in either form
    with (
        TemporaryDirectory(prefix="switchboard-walks-") as directory,
        servers.sandbox(Path(directory, "service"), 200) as service,
    ):
        portal.configure(Path(directory, "portal"), ALLOWED_HOSTS="127.0.0.1,testserver")
        data = _measured(portal.connect(service))
    say("walk                            functions   modules     calls")
    for name, (functions, modules, calls) in data.items():
        say(f"{name:<30} {functions:>10} {modules:>9} {calls:>9}")
    names = ("functions", "modules", "calls")
    finish({name: dict(zip(names, each, strict=True)) for name, each in data.items()})


def _measured(key: str) -> dict[str, tuple[int, int, int]]:
    found = {}
    for name, walk in _walks(key):
        trace = Trace()
        with trace.running():
            walk()
        modules = {module for module, _name in trace.functions}
        found[name] = (len(trace.functions), len(modules), trace.calls)
    return found


def _walks(key: str) -> Iterator[tuple[str, Walk]]:
    from portal.access.models import Connection  # noqa: PLC0415 - models need the setup
    from portal.directory.models import MirroredUser  # noqa: PLC0415

    browser = Browser(Connection.objects.get(key=key))
    browser.loaded()
    people = MirroredUser.objects.filter(status="active", type=1)
    chosen = list(people.values_list("user_id", flat=True)[:_PEOPLE])
    yield f"licence of {_PEOPLE} people", lambda: browser.licence(chosen)
    yield "and its undo", browser.undo
    yield "import of one person", browser.imported
    yield "list of people, searched", lambda: browser.get("people/?q=a")
    yield "report of hosts, a month", lambda: browser.get("reports/hosts/?period=last-month")
    yield "delivery of a webhook", browser.delivered


class Browser:
    """An administrator at the pages of one connection, and the worker of their jobs."""

    def __init__(self, connection: Any) -> None:
        from django.test import Client  # noqa: PLC0415 - settings are set up by now

        self._connection = connection
        self._client = Client()
        self._client.force_login(connection.owner)
        self._job: Any = None

    def get(self, path: str) -> str:
        answer = self._client.get(f"/c/{self._connection.key}/{path}", follow=True)
        if answer.status_code != 200:
            raise RuntimeError(f"{path} was answered with {answer.status_code}")
        return answer.text

    def loaded(self) -> None:
        """Reads the list of people, so that some can be selected."""
        from portal.directory.users import USERS  # noqa: PLC0415
        from portal.mirror.refresh import refresh  # noqa: PLC0415

        refresh(USERS.request(self._connection).pk)
        self.get("people/")

    def licence(self, chosen: list[str]) -> None:
        action = self._client.post(
            f"/c/{self._connection.key}/people/chosen/licence/", {"chosen": chosen, "matching": ""}
        )
        self._sent(action.text, "confirmed", type="2")
        self._approved()

    def undo(self) -> None:
        self._client.post(f"/c/{self._connection.key}/jobs/{self._job.key}/take-back/")
        self._job = type(self._job).objects.latest("pk")
        self._approved()

    def imported(self) -> None:
        text = "Email,First name,Last name,Licence\nada@walks.example,Ada,Byron,Basic\n"
        url = f"/c/{self._connection.key}/people/import/"
        self._sent(self._client.post(url, {"text": text}, follow=True).text, "column_0")
        self._approved()

    def delivered(self) -> None:
        from tests.support.deliveries import notification, post, subscribed  # noqa: PLC0415

        if post(subscribed(self._connection), notification(id="1")) not in {200, 204}:
            raise RuntimeError("The delivery was refused")

    def _sent(self, page: str, field: str, **typed: str) -> None:
        """Sends the form that has this field, and goes on to the job that it begins."""
        from portal.jobs.models import Job  # noqa: PLC0415
        from tests.support.html import form_with  # noqa: PLC0415

        form = form_with(page, field)
        answer = self._client.post(form.action, form.values | typed)
        if answer.status_code != 303:
            raise RuntimeError(re.sub(r"\s+", " ", unescape(answer.text))[:500])
        self._job = Job.objects.latest("pk")

    def _approved(self) -> None:
        """Plans the job, shows it, approves it, and carries it out."""
        from portal.jobs.models import JobState  # noqa: PLC0415
        from tests.support.html import form_with  # noqa: PLC0415

        self._work()
        form = form_with(self.get(f"jobs/{self._job.key}/"), "seen")
        self._client.post(form.action, form.values)
        self._work()
        self.get(f"jobs/{self._job.key}/")
        if self._job.state != JobState.DONE:
            raise RuntimeError(f"{self._job} is {self._job.state}: {self._job.reason}")

    def _work(self) -> None:
        from portal.jobs import running  # noqa: PLC0415
        from portal.jobs.leases import JOBS  # noqa: PLC0415
        from portal.jobs.models import JobState  # noqa: PLC0415
        from portal.jobs.planner import plan  # noqa: PLC0415

        while (job := JOBS.acquire(self._job.pk)) is not None:
            if job.state == JobState.PLANNING:
                plan(job)
            else:
                running.run(job, _SECONDS)
        self._job.refresh_from_db()


if __name__ == "__main__":
    main()
