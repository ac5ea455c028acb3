"""Whatever the service does while a form is sent: it is said, and nothing that was typed is lost.

Each form is opened while all is well, then sent into one of the troubles. Either writes alone go
wrong, with reads answered by the sandbox, or the service is gone altogether.
"""

from dataclasses import dataclass, field

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from portal.access.models import Connection
from portal.contract.users import UserStatus
from portal.directory import users as mirror
from tests.support.fault_server import (
    Behaviour,
    FaultServer,
    Seen,
    answer,
    depending,
    garbage,
    reset,
    silence,
    throttled,
)
from tests.support.html import form_with, text_of
from tests.support.people import Made
from tests.support.portal import after_the_wait
from tests.support.sandbox import Sandbox

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Page:
    """A form: the page it stands on, a field that identifies it, and what is typed.

    What is `secret` is typed too, but never sent back to a browser.
    """

    name: str
    marker: str
    typed: dict[str, str]
    more: tuple[str, ...] = ()
    sent_to: str = ""
    of_person: bool = True
    secret: dict[str, str] = field(default_factory=dict)

    def url(self, connection: Connection, person: Made, name: str = "") -> str:
        ids = [person.id, *self.more] if self.of_person else []
        return reverse(f"people:{name or self.name}", args=[connection.key, *ids])


DONE = answer(204)
LEAVES = "Ada Lovelace leaves this account and keeps any recordings older than 6 months."
PAGES = [
    Page(
        "create",
        "idempotency_key",
        {
            "user_info.email": "grace@brightwater.example",
            "user_info.first_name": "Grace",
            "user_info.last_name": "Höpper & <Sons>",
            "user_info.type": "3",
            "action": "ssoCreate",
        },
        of_person=False,
    ),
    Page(
        "settings",
        "was",
        {
            "telephony.audio_conference_info": "Dial 1, then wait",
            "in_meeting.waiting_room": "on",
            "recording.auto_recording": "none",
            "q": "room",
        },
        sent_to="settings-save",
    ),
    Page("remove", "agreed", {"action": "disassociate", "agreed": LEAVES}),
    Page("profile-edit", "name-first_name", {"name-first_name": "Augusta"}, more=("name",)),
    Page("email", "email", {"email": "augusta@brightwater.example"}),
    Page("assistants-add", "emails", {"emails": "heir@brightwater.example"}),
    Page(
        "tsp-new",
        "conference_code",
        {"conference_code": "445566", "dial_in_numbers.0.number": "30123456"},
        secret={"leader_pin": "987654"},
    ),
]
TROUBLES = {
    "400": answer(
        400, {"message": "No.", "errors": [{"field": "nobody.knows", "message": "Not like this."}]}
    ),
    "401": answer(401, {"code": 124, "message": "The token has expired."}),
    "404": answer(404, {"code": 1001, "message": "There is no such user."}),
    "409": answer(409, {"code": 1005, "message": "Taken."}),
    "429": throttled("60"),
    "500": answer(500, {"message": "Broken."}),
    "garbage": garbage(),
    "reset": reset(after_reading=True),
    "silence": silence(),
}


@dataclass
class Trial:
    """A form, a person and a service that works until it is set otherwise."""

    client: Client
    connection: Connection
    server: FaultServer
    sandbox: Sandbox
    person: Made
    settings: Settings

    def send(self, page: Page, trouble: Behaviour) -> "Outcome":
        """Opens the form while all is well, then sends it into the trouble."""
        self.server.always(self.but(answer(500)))
        self.settings.API_TIMEOUT = 30
        html = self.client.get(page.url(self.connection, self.person)).content.decode()
        return self.send_again(page, form_with(html, page.marker).values | page.typed, trouble)

    def send_again(self, page: Page, values: dict[str, str], trouble: Behaviour) -> "Outcome":
        self.server.always(trouble)
        self.settings.API_TIMEOUT = 0.5
        url = page.url(self.connection, self.person, page.sent_to)
        answered = self.client.post(url, values | page.secret)
        return Outcome(page, answered.status_code, answered.content.decode())

    def but(self, trouble: Behaviour) -> Behaviour:
        """Reads are answered by the sandbox, everything else by the trouble."""

        def choose(seen: Seen) -> Behaviour:
            if seen.method != "GET":
                return trouble
            query = {name: value for name, value in seen.query.items() if name != "access_token"}
            data = self.sandbox.client.get(seen.path.removeprefix("/v2"), params=query)
            return answer(data.status_code, body=data.content)

        return depending(choose)

    def written(self, *methods: str) -> int:
        return sum(seen.method in methods for seen in self.server.requests)


@dataclass
class Outcome:
    page: Page
    status: int
    html: str

    def assert_kept(self) -> None:
        assert 400 <= self.status < 500
        assert "data-summary" in self.html
        assert {name: self.values.get(name) for name in self.page.typed} == self.page.typed

    @property
    def values(self) -> dict[str, str]:
        return form_with(self.html, self.page.marker).values

    @property
    def text(self) -> str:
        return text_of(self.html)


@pytest.fixture
def trial(client, faulty, fault_server, sandbox, person, *, settings):
    mirror.put(faulty, person.details(), UserStatus.ACTIVE)
    return Trial(client, faulty, fault_server, sandbox, person, settings)


on_every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def _pairs(troubles, on_all_pages):
    """Each trouble on the first page and one on all of them; the other pairs are deep."""
    for trouble in troubles:
        for page in PAGES:
            marks = () if trouble == on_all_pages or page is PAGES[0] else pytest.mark.deep
            yield pytest.param(page, trouble, marks=marks, id=f"{trouble}-{page.name}")


@pytest.mark.parametrize(("page", "trouble"), _pairs(TROUBLES, "429"))
def test_nothing_typed_is_lost_when_the_service_does_not_take_it(trial, page, trouble):
    trial.send(page, trial.but(TROUBLES[trouble])).assert_kept()
    assert trial.written("POST", "PATCH") <= 1


@pytest.mark.parametrize(("page", "trouble"), _pairs(["401", "500", "silence"], "500"))
def test_nothing_typed_is_lost_when_service_is_gone_altogether(trial, page, trouble):
    trial.send(page, TROUBLES[trouble]).assert_kept()


@on_every_page
def test_what_comes_back_can_be_sent_again_once_service_is_well(trial, page):
    refused = trial.send(page, throttled("60"))
    after_the_wait()
    made = {"id": "1", "conference_code": "1", "leader_pin": "1", "ids": "1"}
    well = trial.but(depending(lambda seen: answer(201, made) if seen.method == "POST" else DONE))
    assert trial.send_again(page, refused.values, well).status == 303


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("401", "Enter a new token"),
        ("429", "Try again in 60 seconds"),
        ("500", "The conferencing service failed"),
        ("silence", "No answer within"),
    ],
)
def test_what_went_wrong_is_said_in_plain_words_with_request_id(trial, trouble, said):
    outcome = trial.send(PAGES[1], trial.but(TROUBLES[trouble]))
    assert said in outcome.text
    assert "Request ID" in outcome.text


@on_every_page
def test_a_form_whose_outcome_is_unknown_says_so(trial, page):
    assert "may have been" in trial.send(page, trial.but(silence())).text
