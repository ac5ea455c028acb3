"""What scripts of client libraries share; each runs in its library's own environment.

    calls = Calls()                        # the sandbox, as the command line names it
    calls.run("get_meeting", lambda: client.get_meeting(calls.meeting()))

A call succeeds if it returns, and what it returns is no refusal. Each is a line of JSON.
"""

import json
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

_VENDOR = ("https://api.zoom.us", "https://zoom.us")
_PAGES = 300
ANN = {"first_name": "Ann", "last_name": "Lee"}
Json = dict[str, Any]


class Calls:
    """A sandbox that libraries call, and what has to be there before they can."""

    def __init__(self) -> None:
        self.site, self.token = sys.argv[1:3]
        self.url = f"{self.site}/v2"
        self._numbers = count(1)

    def run(self, name: str, call: Callable[[], Any]) -> None:
        try:
            why = _refusal(call())
        except Exception as error:  # whatever a library raises
            why = f"{type(error).__name__}: {error}"
        self.tell(name, why)

    def tell(self, name: str, why: str) -> None:
        print(json.dumps({"call": name, "why": why[:300]}), flush=True)  # noqa: T201

    def ask(self, method: str, path: str, body: Json | None = None, **query: Any) -> Json:
        """Asks the sandbox without a library."""
        address = f"{self.url}{path}{'?' + urlencode(query) if query else ''}"
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = Request(address, data, headers, method=method)  # noqa: S310 - on this machine
        with urlopen(request, timeout=60) as answer:  # noqa: S310
            content = answer.read()
        found: Json = json.loads(content) if content else {}
        return found

    def every(self, path: str, records: str, **query: Any) -> Iterator[Json]:
        """Yields the records of a list, by the number of its pages or by their tokens."""
        query["page_size"] = _PAGES
        while True:
            page = self.ask("GET", path, **query)
            yield from page[records]
            if not page.get("next_page_token"):
                return
            query = {"next_page_token": page["next_page_token"]}

    def refresh_token(self) -> str:
        """One that was got for a code, as after a person has let the app in."""
        form = urlencode({"grant_type": "authorization_code", "code": "code"}).encode()
        basic = b64encode(f"app:{self.token}".encode()).decode()
        address = f"{self.site}/oauth/token"
        request = Request(address, form, {"Authorization": f"Basic {basic}"})  # noqa: S310
        with urlopen(request, timeout=60) as answer:  # noqa: S310 - on this machine
            return str(json.load(answer)["refresh_token"])

    def email(self) -> str:
        return f"called.{next(self._numbers)}@clients.example"

    def person(self) -> str:
        info = {"email": self.email(), "type": 1, **ANN}
        made = self.ask("POST", "/users", {"action": "custCreate", "user_info": info})
        return str(made["id"])

    def meeting(self, **given: Any) -> int:
        """A meeting of the owner that people register for, to be approved."""
        return self._session("meetings", given)

    def webinar(self, **given: Any) -> int:
        return self._session("webinars", given)

    def registrant(self, kind: str, session: int) -> Json:
        body = {"email": self.email(), **ANN}
        made = self.ask("POST", f"/{kind}/{session}/registrants", body)
        return {"id": made["registrant_id"], "email": body["email"]}

    def past(self, *, with_slash: bool = False) -> Json:
        """A meeting that was held; how ids with a slash are sent is up to a library."""
        return next(
            each
            for each in self.every("/metrics/meetings", "meetings", type="past")
            if ("/" in each["uuid"]) is with_slash
        )

    def live(self) -> tuple[str, str]:
        """A meeting that runs, and who is in it."""
        meeting = self.ask("GET", "/metrics/meetings", type="live")["meetings"][0]
        uuid = quote(quote(meeting["uuid"], safe=""), safe="")
        people = self.ask("GET", f"/metrics/meetings/{uuid}/participants")["participants"]
        return str(meeting["uuid"]), str(people[0]["id"])

    def recordings(self) -> Iterator[Json]:
        """Yields recordings of the last month that have two files and no slash in their ids."""
        for person in self.every("/users", "users"):
            for each in self.every(f"/users/{person['id']}/recordings", "meetings"):
                if "/" not in each["uuid"] and len(each["recording_files"]) > 1:
                    yield each

    def _session(self, kind: str, given: Json) -> int:
        body = {
            "topic": "Review",
            "type": 2 if kind == "meetings" else 5,
            "start_time": "2030-01-07T10:00:00Z",
            "settings": {"approval_type": 1},
        }
        return int(self.ask("POST", f"/users/me/{kind}", body | given)["id"])


def lead_here(session: Any, site: str) -> None:
    """Makes `requests` send here what a library sends to the hosts of the vendor."""
    sent = session.request

    def request(self: Any, method: str, url: str, **given: Any) -> Any:
        for host in _VENDOR:
            if url.startswith(f"{host}/"):
                url = site + url.removeprefix(host)
        return sent(self, method, url, **given)

    session.request = request


def _refusal(result: Any) -> str:
    """Why a result that was returned is none."""
    status = getattr(result, "status_code", 200)
    if status >= 400:
        return f"{status} {result.text}"
    if isinstance(result, dict) and {"code", "message"} <= result.keys():
        return f"{result['code']} {result['message']}"
    return "returned False" if result is False else ""
