"""Everything that an operation may need to be there before it can succeed, made over HTTP."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import count
from typing import Any
from uuid import uuid4

import httpx

from tests.sandbox.conftest import Json, everybody, fresh_email, new_person

TODAY = datetime.now(UTC).date()
DAYS = {"from": str(TODAY - timedelta(days=28)), "to": str(TODAY)}
PRO = {"type": "Pro", "hosts": 5}
ADD_ON = {"type": "large100_monthly", "hosts": 1}
CONTACT = {
    "first_name": "Ann",
    "last_name": "Lee",
    "email": "billing@alder.example",
    "phone_number": "+1 212 555 0110",
    "address": "1 Mill Square",
    "city": "Denver",
    "state": "CO",
    "zip": "80202",
    "country": "US",
}
POLL = {
    "title": "Lunch",
    "questions": [{"name": "When?", "type": "single", "answers": ["Noon", "One"]}],
}
TSP = {"conference_code": "123456", "leader_pin": "0042"}
DEVICE = {"name": "Room 4", "ip": "10.0.4.4", "protocol": "SIP", "encryption": "auto"}
REGISTRATION = {"first_name": "Ann", "last_name": "Lee"}


@dataclass
class Things:
    """Each call makes another one, and returns the ids by which it is addressed."""

    api: httpx.Client
    _numbers: "count[int]" = field(default_factory=count)

    def make(self, path: str, body: Json) -> Json:
        answer = self.api.post(path, json=body)
        assert answer.status_code == 201, answer.text
        return answer.json() if answer.content else {}

    def person(self, **given: Any) -> str:
        return str(new_person(self.api, **given)["id"])

    def assistant(self, of: str) -> str:
        other = self.person()
        self.make(f"/users/{of}/assistants", {"assistants": [{"id": other}]})
        return other

    def tsp(self, of: str) -> str:
        return str(self.make(f"/users/{of}/tsp", TSP)["id"])

    def zpk(self) -> str:
        asked = self.api.get(f"/users/{self.person()}/token", params={"type": "zpk"})
        return str(asked.json()["token"])

    def name(self) -> str:
        return f"Team {uuid4().hex[:12]}"

    def group(self, path: str = "/groups") -> str:
        return str(self.make(path, {"name": self.name()})["id"])

    def member(self, group: str, path: str = "/groups") -> str:
        person = self.person()
        self.make(f"{path}/{group}/members", {"members": [{"id": person}]})
        return person

    def account(self, *, subscribed: bool = False) -> str:
        owner = {"email": fresh_email(), "password": "correct horse", **REGISTRATION}
        made = str(self.make("/accounts", owner)["id"])
        if subscribed:
            plans = {"contact": CONTACT, "plan_base": PRO, "plan_large_meeting": [ADD_ON]}
            self.make(f"/accounts/{made}/plans", plans)
        return made

    def device(self) -> str:
        return str(self.make("/h323/devices", DEVICE)["id"])

    def tracking_field(self) -> str:
        return str(self.make("/v2/tracking_fields", {"field": self.name()})["id"])

    def webhook_body(self) -> Json:
        self.api.patch("/webhooks/options", json={"version": "v2"})
        return {
            "url": "http://127.0.0.1:9/",
            "auth_user": "conf",
            "auth_password": "secret",
            "events": ["meeting_ended"],
        }

    def webhook(self) -> str:
        return str(self.make("/webhooks", self.webhook_body())["webhook_id"])

    def session(self, kind: str, **given: object) -> str:
        """A meeting or webinar that people register for, or as `given`."""
        settings = {"approval_type": 1}
        asked = self.api.get("/v2/tracking_fields").json()["tracking_fields"]
        values = [{"field": each["field"], "value": "4711"} for each in asked if each["required"]]
        body = {"topic": "Review", "settings": settings, "tracking_fields": values, **given}
        return str(self.make(f"/users/{self.person()}/{kind}", body)["id"])

    def poll(self, kind: str) -> tuple[str, str]:
        session = self.session(kind)
        return session, str(self.make(f"/{kind}/{session}/polls", POLL)["id"])

    def registrant(self, kind: str) -> tuple[str, str]:
        session, email = self.session(kind), fresh_email()
        self.make(f"/{kind}/{session}/registrants", {"email": email, **REGISTRATION})
        return session, email

    def panelist(self) -> tuple[str, str]:
        webinar = self.session("webinars")
        panelists = {"panelists": [{"email": fresh_email(), "name": "Ann"}]}
        self.make(f"/webinars/{webinar}/panelists", panelists)
        listed = self.api.get(f"/webinars/{webinar}/panelists").json()["panelists"]
        return webinar, str(listed[0]["id"])

    def streamed(self) -> str:
        meeting = self.session("meetings")
        stream = {"stream_url": "https://live.example/in", "stream_key": "key"}
        self.api.patch(f"/meetings/{meeting}/livestream", json=stream)
        return meeting

    def live_meeting(self) -> tuple[str, str]:
        """A meeting that runs, and who is in it."""
        meeting = self.session("meetings", type=1)
        return meeting, self._somebody_in("meetings", meeting)

    def live_webinar(self) -> tuple[str, str]:
        asked: dict[str, Any] = {**DAYS, "type": "live"}
        [data, *_] = self.api.get("/metrics/webinars", params=asked).json()["webinars"]
        webinar = str(data["id"])
        return webinar, self._somebody_in("webinars", webinar)

    def past_meeting(self) -> str:
        """The UUID of a meeting that was held."""
        return self._one_of_the_past("meetings")

    def past_webinar(self) -> str:
        return self._one_of_the_past("webinars")

    def recurring_past(self, kind: str) -> str:
        asked: dict[str, Any] = {**DAYS, "type": "past", "page_size": 30}
        return str(self.api.get(f"/metrics/{kind}", params=asked).json()[kind][0]["id"])

    def recording(self, *, trashed: bool = False) -> tuple[str, str]:
        """The UUID and a file of a recording that is whole, or wholly in the trash."""
        uuid, file = next(self._recordings)
        if trashed:
            self.api.delete(f"/meetings/{uuid}/recordings")
        return uuid, file

    @cached_property
    def _recordings(self) -> Iterator[tuple[str, str]]:
        asked: dict[str, Any] = {
            "from": str(TODAY - timedelta(days=200)),
            "to": str(TODAY),
            "page_size": 300,
        }
        for person in everybody(self.api):
            answer = self.api.get(f"/users/{person['id']}/recordings", params=asked)
            for each in answer.json()["meetings"]:
                if "/" not in each["uuid"]:
                    yield str(each["uuid"]), str(each["recording_files"][0]["id"])

    def room(self) -> str:
        return str(self.api.get("/metrics/confrooms").json()["conf_rooms"][0]["id"])

    def chat(self) -> str:
        data = self.api.get("/im/chat/sessions", params=DAYS).json()
        return str(data["sessions"][0]["session_id"])

    def _one_of_the_past(self, kind: str) -> str:
        """A UUID without a slash; how those travel, `test_paths` tries."""
        asked: dict[str, Any] = {**DAYS, "type": "past", "page_size": 30}
        found = self.api.get(f"/metrics/{kind}", params=asked).json()[kind]
        plain = [str(each["uuid"]) for each in found if "/" not in each["uuid"]]
        return plain[next(self._numbers) % len(plain)]

    def _somebody_in(self, kind: str, session: str) -> str:
        path = f"/metrics/{kind}/{session}/participants"
        return str(self.api.get(path).json()["participants"][0]["id"])
