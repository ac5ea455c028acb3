"""Whatever is sent to meetings, webinars and recordings that are there, none of it is a fault."""

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from portal.contract.meetings import Meetings
from portal.contract.polls import MeetingPolls, WebinarPolls
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.contract.webinars import Panelists, Webinars
from tests.sandbox.conftest import new_person
from tests.sandbox.test_bad_input import (
    HOSTILE_NUMBERS,
    TEXT,
    as_json,
    as_query,
    check,
    documents,
    queries,
)

pytestmark = pytest.mark.deep

FAMILIES = [
    Meetings,
    MeetingPolls,
    MeetingRegistrants,
    Webinars,
    WebinarPolls,
    WebinarRegistrants,
    Panelists,
]
OPERATIONS = [
    each for family in FAMILIES for each in family.operations() if each.attribute != "of_user"
]

TIMES = st.sampled_from(
    ["1000-01-01T00:00:00Z", "2999-12-31T23:59:59Z", "2038-03-28T02:30:00", "2038-02-29T10:00:00Z"]
)
RULES = st.fixed_dictionaries(
    {"type": st.integers(1, 3)},
    optional={
        "repeat_interval": st.integers(1, 3),
        "weekly_days": st.sampled_from(["1", "2,2", "7,1", 3, ""]),
        "monthly_day": st.integers(29, 31),
        "monthly_week": st.sampled_from([-1, 4]),
        "monthly_week_day": st.integers(1, 7),
        "end_times": st.integers(1, 50),
        "end_date_time": TIMES,
    },
)
PLANS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from([1, 2, 3, 5, 6, 8, 9]),
        "start_time": TIMES,
        "timezone": st.sampled_from(["Europe/Berlin", "Pacific/Apia", "Etc/GMT+12", "", "UTC"]),
        "duration": st.sampled_from([1, 43200, *HOSTILE_NUMBERS]),
        "recurrence": RULES,
        "topic": TEXT,
        "password": st.sampled_from(["", "abc"]),
        "settings": st.fixed_dictionaries(
            {},
            optional={
                "approval_type": st.integers(0, 2),
                "registration_type": st.integers(1, 3),
                "close_registration": st.booleans(),
                "alternative_hosts": TEXT,
            },
        ),
        "tracking_fields": st.lists(st.fixed_dictionaries({"field": TEXT}), max_size=2),
    },
)


def bodies(operation):
    if operation.body is None:
        return st.just(b"")
    anything = documents(operation.body)
    if "recurrence" in operation.body.model_fields:
        anything = PLANS | anything
    return anything.map(as_json)


@pytest.fixture(scope="module")
def host(sandbox):
    return new_person(sandbox.client)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_is_done_or_refused_as_documented(sandbox, host, operation, data):
    kind = "webinars" if "webinar" in operation.path else "meetings"
    known = {"userId": host["id"], **series(sandbox.client, host, kind)}
    path = operation.path
    for parameter in operation.path_parameters:
        path = path.replace(f"{{{parameter}}}", quote(known[parameter], safe=""))
    query = data.draw(queries(operation), "query")
    if data.draw(st.booleans(), "of an occurrence"):
        query |= {"occurrence_id": known["occurrence"], "occurrence_ids": known["occurrence"]}

    answer = sandbox.client.request(
        operation.method,
        f"{sandbox.url}{path}",
        params=as_query(query),
        content=data.draw(bodies(operation), "body"),
        headers={"Content-Type": "application/json"},
    )

    check(answer, operation)
    assert "Not foreseen" not in sandbox.log
    still = sandbox.client.get(f"/{kind}/{known[f'{kind[:-1]}Id']}")
    assert still.status_code in {200, 404}
    sandbox.client.delete(f"/{kind}/{known[f'{kind[:-1]}Id']}")


def series(api, host, kind):
    """The names of one that recurs, and of what belongs to it."""
    body: dict[str, Any] = {
        "type": 8 if kind == "meetings" else 9,
        "start_time": "2038-01-31T10:00:00Z",
        "recurrence": {"type": 2, "end_times": 3},
        "settings": {"approval_type": 1, "registration_type": 2},
    }
    session = api.post(f"/users/{host['id']}/{kind}", json=body).json()
    path = f"/{kind}/{session['id']}"
    form = {"email": "ann@mail.example", "first_name": "Ann", "last_name": "Lee"}
    assert api.post(f"{path}/registrants", json=form).status_code == 201
    names = {
        f"{kind[:-1]}Id": session["id"],
        "pollId": api.post(f"{path}/polls", json={"title": "Lunch"}).json()["id"],
        "occurrence": str(session["occurrences"][1]["occurrence_id"]),
    }
    if kind == "webinars":
        speakers = {"panelists": [{"email": "ann@mail.example"}]}
        names["panelistId"] = api.post(f"{path}/panelists", json=speakers).json()["id"]
    return names
