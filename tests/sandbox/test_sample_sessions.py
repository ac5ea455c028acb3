"""The made-up account's meetings and webinars are planned as people plan them."""

from collections import Counter

import pytest

from portal.contract.meetings import MeetingDetails
from portal.contract.registrants import RegistrantPage
from portal.contract.webinars import WebinarDetails
from tests.sandbox.conftest import everybody

STATUSES = ("approved", "pending", "denied")


@pytest.fixture(scope="module")
def account(sandbox):
    """The people that were there before the tests."""
    people = everybody(sandbox.client)
    return [each for each in people if "." in each["email"].partition("@")[0]]


def hosted(api, people, what):
    asked = {"page_size": 300, "type": "scheduled"}
    pages = (api.get(f"/users/{each['id']}/{what}", params=asked).json() for each in people)
    return [f"/{what}/{each['id']}" for page in pages for each in page[what]]


def test_meetings_differ_in_what_they_are_planned_with(api, account):
    has: Counter[str] = Counter()
    for path in hosted(api, account, "meetings"):
        answer = MeetingDetails.model_validate_json(api.get(path).content)
        assert answer.settings is not None
        has["agenda"] += bool(answer.agenda)
        has["password"] += bool(answer.password)
        has["tracking field"] += bool(answer.tracking_fields)
        has["waiting room"] += answer.settings.waiting_room
        has["recording"] += answer.settings.auto_recording != "none"
        has["poll"] += api.get(f"{path}/polls").json()["total_records"] > 0
        has["occurrences"] += bool(answer.occurrences)
        if answer.type == 8:
            assert answer.occurrences[0].start_time == answer.start_time
        else:
            assert answer.occurrences == []
    assert len(has) == 7
    assert min(has.values()) >= 1


def test_webinars_have_those_who_speak_and_those_who_come(api, account):
    has: Counter[str] = Counter()
    for path in hosted(api, account, "webinars"):
        WebinarDetails.model_validate_json(api.get(path).content)
        has["panelists"] += api.get(f"{path}/panelists").json()["total_records"]
        for status in STATUSES:
            asked = {"status": status, "page_size": 300}
            page = RegistrantPage.model_validate_json(
                api.get(f"{path}/registrants", params=asked).content
            )
            has["registrants"] += len(page.registrants)
    assert min(has["panelists"], has["registrants"]) >= 1
