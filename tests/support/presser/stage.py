"""Objects of an account for the routes to be about: a person, a meeting, a webinar, with everything
that such a thing can have, at the service and in its copies."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.access.roles import Role
from portal.mirror import loading
from portal.mirror.refresh import refresh
from portal.people.models import OnboardingTemplate
from portal.recordings.models import RetentionRule
from portal.team.roles import services
from tests.support.filled_forms import TYPED
from tests.support.portal import admin_client_for, member
from tests.support.routes import Route
from tests.support.sandbox import Sandbox
from tests.support.shares import share_with

_WEEKLY = {"type": 2, "repeat_interval": 1, "weekly_days": "2", "end_times": 6}
_SWITCHES = {"host_video": True, "enforce_login": True}
_QUESTION = {"name": "Where?", "type": "single", "answers": ["Inside", "Outside"]}


@dataclass
class Stage:
    """What was made. `others` are further people, by what they are for."""

    connection: Connection
    owner: User
    sandbox: Sandbox
    arguments: dict[str, Any] = field(default_factory=dict)
    of_family: dict[str, dict[str, Any]] = field(default_factory=dict)
    of_route: dict[str, dict[str, Any]] = field(default_factory=dict)
    people: list[dict[str, Any]] = field(default_factory=list)
    sub_accounts: list[str] = field(default_factory=list)
    zpk: str = ""  # a token of the person's that the service takes
    another: User | None = None  # a colleague without a share

    def url_of(self, route: Route, **given: object) -> str:
        """Returns the address of a route that is about these objects."""
        family = route.name.partition(":")[0]
        known = self.arguments | self.of_family.get(family, {})
        known |= self.of_route.get(route.name, {}) | given
        known = {name: value for name, value in known.items() if name in route.arguments}
        return route.url_of(self.owner, self.connection, self.sandbox, **known)


def staged(connection: Connection, sandbox: Sandbox) -> Stage:
    """Makes the objects at the service, and has the lists read that they are in."""
    stage = Stage(connection, connection.owner, sandbox)
    service = _Service(sandbox)
    stage.people = [service.person(number) for number in range(5)]
    person, second, third, *_ = stage.people
    for number in range(3):
        service.deactivate(service.person(number, "Resting")["id"])
    for path, family in (("/groups", "groups"), ("/im/groups", "im-groups")):
        name = f"Group {token_hex(4)}"
        groups = [service.post(path, {"name": each})["id"] for each in (name, f"Other {name}")]
        members = {"members": [{"id": one["id"]} for one in (person, second, third)]}
        service.post(f"{path}/{groups[0]}/members", members)
        stage.of_family[family] = {"group_id": groups[0], "other": groups[1], "name": name}
    service.post(f"/users/{person['id']}/assistants", {"assistants": [{"id": second["id"]}]})
    service.post(f"/users/{third['id']}/assistants", {"assistants": [{"id": person["id"]}]})
    service.post(f"/users/{person['id']}/tsp", {"conference_code": "123456", "leader_pin": "4321"})
    for family in ("meetings", "webinars"):
        stage.of_family[family] = service.session(family, person)
    stage.sub_accounts = [service.sub_account(), service.sub_account(is_free=True)]
    stage.of_family["account"] = {"account_id": stage.sub_accounts[0]}
    stage.arguments |= {
        "user_id": person["id"],
        "person_id": person["id"],
        "person": person["id"],
        "delegate_id": second["id"],
        "participant": person["id"],
        "tsp_id": "1",
        "subject_kind": "people",
        **stage.of_family["meetings"],
        "group_id": stage.of_family["groups"]["group_id"],
    }
    im_group = stage.of_family["im-groups"]["group_id"]
    stage.of_route |= {
        "people:im-groups-leave": {"group_id": im_group},
        "people:scheduler-remove": {"delegate_id": third["id"]},
        "account:sub-account-subscribe": {"account_id": stage.sub_accounts[1]},
        "account:devices-change": {"resource_id": service.device()},
        "account:devices-delete": {"resource_id": service.device()},
        "account:tracking-fields-change": {"resource_id": service.tracking_field()},
        "account:tracking-fields-delete": {"resource_id": service.tracking_field()},
        "webhooks:webhooks-change": {"resource_id": service.webhook()},
        "webhooks:webhooks-delete": {"resource_id": service.webhook()},
    }
    for family in ("meetings", "webinars"):
        stage.of_route[f"{family}:end"] = service.live(family)
        recorded = service.recording(family)
        for about in ("recording-remove", "recordings-remove"):
            stage.of_route[f"{family}:{about}"] = recorded
    token = sandbox.client.get(f"/users/{person['id']}/token", params={"type": "zpk"}).json()
    stage.zpk = token.get("token", "")
    colleague = member("pressed.colleague@example.com", Role.OPERATOR)
    another = member("another.colleague@example.com", Role.OPERATOR)
    share_with(connection, colleague)
    OnboardingTemplate.objects.create(connection=connection, name="Interns of the stage", licence=1)
    rule = RetentionRule.objects.create(connection=connection, owner=stage.owner, older_than=300)
    for about in ("share", "share-limits", "share-end", "share-elevation", "share-remove"):
        stage.of_route[f"connections:{about}"] = {"pk": colleague.pk}
    for about in ("member", "member-sessions", "member-factors", "member-deactivate"):
        stage.of_route[f"team:{about}"] = {"pk": colleague.pk}
    role = services.define(
        Origin(stage.owner), name="To be changed", description="", grants={"webinars": ["read"]}
    )
    stage.of_route["team:role-edit"] = stage.of_route["team:role-delete"] = {"key": role.key}
    stage.another = another
    stage.arguments["retention_id"] = rule.pk
    stage.arguments |= {
        name: value for name, value in service.recording("meetings").items() if name != "session_id"
    }
    for one in loading._lists:
        refresh(one.source.request(connection).pk)
    browser = admin_client_for(stage.owner)
    starts = {
        "stop": stage.of_family["meetings"]["session_id"],
        "start": str(service.session("meetings", person)["session_id"]),
    }
    stage.of_route["meetings:livestream-stop"] = {"session_id": starts["start"]}
    for action, session_id in starts.items():
        where = reverse("meetings:livestream-place", args=[connection.key, session_id])
        browser.post(where, TYPED["meetings:livestream-place"])
        service.put(f"/meetings/{session_id}/livestream/status", {"action": action})
    return stage


class _Service:
    """The service, asked by another program."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._client = sandbox.client
        self._database = sandbox.data_dir / "sandbox.sqlite3"

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self._client.post(path, json=body)
        assert answer.status_code < 300, f"{path}: {answer.text}"
        return dict(json.loads(answer.text or "{}"))

    def put(self, path: str, body: dict[str, Any]) -> None:
        answer = self._client.patch(path, json=body)
        assert answer.status_code < 300, f"{path}: {answer.text}"

    def deactivate(self, user_id: str) -> None:
        answer = self._client.put(f"/users/{user_id}/status", json={"action": "deactivate"})
        assert answer.status_code < 300, answer.text

    def person(self, number: int, family_name: str = "Pressed") -> dict[str, Any]:
        info = {"first_name": f"Given{number}", "last_name": family_name, "type": 2}
        info["email"] = f"{family_name.lower()}{number}.{token_hex(4)}@brightwater.example"
        made = self.post("/users", {"action": "custCreate", "user_info": info})
        self.put(f"/users/{made['id']}", {"dept": "Pressed", "timezone": "Europe/Berlin"})
        holds = {"feature": {"webinar": True, "webinar_capacity": 500}}
        self.put(f"/users/{made['id']}/settings", holds)
        return dict(self._client.get(f"/users/{made['id']}").json())

    def session(self, family: str, host: dict[str, Any]) -> dict[str, Any]:
        """A recurring session with what one can have."""
        body = {
            "topic": f"Pressed {family}",
            "type": 8 if family == "meetings" else 9,
            "start_time": "2038-03-01T09:00:00",
            "timezone": "Europe/Berlin",
            "duration": 45,
            "recurrence": _WEEKLY,
            "agenda": "Figures",
            "settings": {"approval_type": 1, "registration_type": 1, **_SWITCHES},
        }
        number = str(self.post(f"/users/{host['id']}/{family}", body)["id"])
        path = f"/{family}/{number}"
        made = self._client.get(path).json()
        registrants = [
            self.post(
                f"{path}/registrants",
                {"email": f"guest{each}@example.com", "first_name": "Guest", "last_name": "One"},
            )
            for each in range(3)
        ]
        poll = self.post(f"{path}/polls", {"title": "Lunch", "questions": [_QUESTION]})
        more = {}
        if family == "webinars":
            panel = {"panelists": [{"name": "Pat Panel", "email": "pat@example.com"}]}
            self.post(f"{path}/panelists", panel)
            more["panelist_id"] = self._client.get(f"{path}/panelists").json()["panelists"][0]["id"]
        return {
            "session_id": number,
            "occurrence_id": str(made["occurrences"][1]["occurrence_id"]),
            "registrant_id": registrants[0].get("registrant_id") or registrants[0]["id"],
            "poll_id": poll["id"],
            **more,
        }

    def recording(self, family: str) -> dict[str, Any]:
        """A recording that is not in the trash, with a file of it."""
        found = self._one(
            "SELECT r.uuid, r.number, f.id FROM sandbox_recordedmeeting r"
            " JOIN sandbox_instance i ON i.number = r.number"
            " JOIN sandbox_recordingfile f ON f.meeting_id = r.uuid"
            " WHERE f.deleted_time IS NULL ORDER BY i.kind != ?, r.start_time DESC, r.uuid, f.id",
            family.removesuffix("s"),
        )
        return {"uuid": found[0], "session_id": str(found[1]), "file_id": found[2]}

    def live(self, family: str) -> dict[str, Any]:
        found = self._one(
            "SELECT number FROM sandbox_session WHERE live_since IS NOT NULL AND kind = ?",
            family.removesuffix("s"),
        )
        return {"session_id": str(found[0])} if found else {}

    def sub_account(self, *, is_free: bool = False) -> str:
        [number] = self._one(
            "SELECT id FROM sandbox_subaccount"
            " WHERE (plans ->> '$.plan_base.type' IS NULL) = ? ORDER BY id",
            is_free,
        )
        return str(number)

    def device(self) -> str:
        body = {"name": token_hex(4), "ip": "192.0.2.8", "protocol": "SIP", "encryption": "auto"}
        return str(self.post("/h323/devices", body)["id"])

    def tracking_field(self) -> str:
        return str(self.post("/v2/tracking_fields", {"field": f"Field {token_hex(4)}"})["id"])

    def webhook(self) -> str:
        body = {
            "url": f"https://hooks.example/{token_hex(4)}",
            "auth_user": "a",
            "auth_password": "b",
        }
        return str(self.post("/webhooks", {**body, "events": ["meeting_started"]})["webhook_id"])

    def _one(self, query: str, *values: object) -> Any:
        with closing(sqlite3.connect(self._database)) as database:
            return database.execute(query, values).fetchone()
