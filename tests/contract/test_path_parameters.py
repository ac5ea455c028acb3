"""Ids in paths have types, and are checked before anything is sent."""

import pytest

from portal.contract import operations
from portal.contract.meetings import Meetings
from portal.contract.metrics import Metrics
from portal.contract.path import PATH_PARAMETERS, NotAnId
from portal.contract.recordings import Recordings
from portal.contract.reports import Reports
from portal.contract.webinars import Panelists
from tests.support.cases import for_each

# What section 2.1 lists; those in NUMBERS are integers.
NAMES = {
    "accountId",
    "deviceId",
    "groupId",
    "memberId",
    "meetingId",
    "meetingUUID",
    "webinarId",
    "participantId",
    "recordingId",
    "sessionId",
    "tspId",
    "userId",
    "webhookId",
    "confroomId",
    "pollId",
    "fieldId",
    "panelistId",
    "assistantId",
    "schedulerId",
}
NUMBERS = {"meetingId", "webinarId", "panelistId"}


def test_the_parameters_are_those_of_the_document():
    assert set(PATH_PARAMETERS) == NAMES
    assert {name for name, each in PATH_PARAMETERS.items() if each.kind is int} == NUMBERS
    assert {name for one in operations() for name in one.path_parameters} == NAMES


@pytest.mark.parametrize("name", ["meetingId", "webinarId"])
def test_metrics_reports_and_recordings_take_a_uuid_too(name):
    for one in operations():
        by_text = one.path.startswith(("/metrics", "/report/")) or "/recordings" in one.path
        for parameter in one.ids:
            if parameter.name == name:
                assert parameter.kind is (str if by_text else int), one.name


@pytest.mark.parametrize("given", [85746065, "85746065"])
def test_a_number_may_come_as_its_digits(given):
    call = Meetings.get.call(given)
    assert call.ids == (85746065,)
    assert call.path == "/meetings/85746065"
    assert Panelists.remove.call(given, "7").ids == (85746065, 7)


@pytest.mark.parametrize(
    "given", ["", "abc", "1.5", "-1", -1, "²", "1 ", "uuid==", 2**63, "9" * 30]
)
def test_what_is_no_number_is_no_id_of_a_meeting(given):
    with pytest.raises(NotAnId):
        Meetings.get.call(given)


def test_a_uuid_with_a_slash_travels_encoded_twice():
    uuid = "/sHJK+x=="
    encoded = "%252FsHJK%252Bx%253D%253D"
    assert Recordings.get.call(uuid).path == f"/meetings/{encoded}/recordings"
    assert Reports.meeting.call(uuid).path == f"/report/meetings/{encoded}"
    assert Metrics.meeting.call(85746065).path == "/metrics/meetings/85746065"


@pytest.mark.parametrize("given", [True, 1.5, None, b"1", ["1"]])
def test_what_is_neither_text_nor_number_is_a_mistake(given):
    with pytest.raises(TypeError, match="takes meetingId"):
        Meetings.get.call(given)


@for_each("one", list(operations()), ids=lambda one: one.name)
def test_ids_are_described_in_the_order_of_the_path(one):
    assert tuple(each.name for each in one.ids) == one.path_parameters
    assert all(each.description for each in one.ids)
