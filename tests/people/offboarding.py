"""People who leave, with things to hand over, as tests of offboarding make them."""

from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.urls import reverse

from portal.access.models import Connection
from portal.jobs.models import Job
from portal.people.services.groups import GROUPS
from tests.support.html import Form, form_with, text_of
from tests.support.people import Made, MadeGroup, MakeGroup, MakePerson
from tests.support.sandbox import Sandbox


@dataclass
class Leaving:
    """A leaver with a group, a meeting, an assistant, and a person for whom they schedule."""

    sandbox: Sandbox
    connection: Connection
    person: Made
    heir: Made
    assistant: Made
    chief: Made
    group: MadeGroup
    meeting: str

    def has_assistant(self, whose: Made, who: Made) -> bool:
        found = self.sandbox.client.get(f"/users/{whose.id}/assistants").json()["assistants"]
        return who.id in {one["id"] for one in found}


def make_leaving(
    sandbox: Sandbox, connection: Connection, make_person: MakePerson, make_group: MakeGroup
) -> Leaving:
    names = ("Ada", "Grace", "Alan", "Edsger")
    person, heir, assistant, chief = (make_person(first_name=name) for name in names)
    group = make_group(GROUPS)
    group.put(person)
    for whose, who in ((person, assistant), (chief, person)):
        body = {"assistants": [{"id": who.id}]}
        answer = sandbox.client.post(f"/users/{whose.id}/assistants", json=body)
        assert answer.status_code == 201, answer.text
    meeting = make_meeting(sandbox, person)
    return Leaving(sandbox, connection, person, heir, assistant, chief, group, meeting)


def make_meeting(sandbox: Sandbox, host: Made) -> str:
    body = {"topic": "Handover", "type": 2, "start_time": "2038-03-01T09:00:00Z", "duration": 30}
    answer = sandbox.client.post(f"/users/{host.id}/meetings", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def host_of(sandbox: Sandbox, meeting: str) -> str:
    answer = sandbox.client.get(f"/meetings/{meeting}")
    return str(answer.json()["host_id"]) if answer.status_code == 200 else ""


def form_of(client: Client, connection: Connection, person: Made) -> Form:
    url = reverse("people:offboard", args=[connection.key, person.id])
    return form_with(client.get(url).content.decode(), "ending")


def sent(client: Client, connection: Connection, person: Made, **given: str) -> Any:
    """The answer to the form, filled in with this over what stands in it."""
    form = form_of(client, connection, person)
    url = reverse("people:offboard", args=[connection.key, person.id])
    return client.post(url, {**form.values, **given})


def offboarding(client: Client, connection: Connection, person: Made, **given: str) -> Job:
    answer = sent(client, connection, person, **given)
    assert answer.status_code == 303, text_of(answer.content.decode())
    return Job.objects.get(key=answer["Location"].rstrip("/").rpartition("/")[2])
