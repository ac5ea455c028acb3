"""Counts are never below zero, whatever a service reports."""

import pytest

from portal.contract.billing import AccountPlans
from portal.contract.groups import GroupList
from portal.contract.reading import believed
from portal.contract.recordings import RecordedMeeting
from portal.contract.usage import HostsPage
from portal.contract.users import UserPage


@pytest.mark.parametrize(("sent", "known"), [("-1", None), ("-90071", None), ("0", 0), ("7", 7)])
def test_a_count_below_zero_counts_as_not_reported(sent, known):
    page = UserPage.read(f'{{"users": [], "total_records": {sent}}}'.encode())
    assert page.total_records == known
    groups = GroupList.read(
        f'{{"groups": [{{"id": "a", "name": "b", "total_members": {sent}}}]}}'.encode()
    )
    assert groups.groups[0].total_members == known


def test_a_plan_has_no_fewer_than_no_seats():
    plans = AccountPlans.read(
        b'{"plan_base": {"hosts": 7}, "plan_webinar": [{"hosts": -4711}],'
        b' "plan_audio": {"ddi_numbers": -3}}'
    )
    reported = plans.model_dump(exclude_none=True)
    assert reported == {"plan_base": {"hosts": 7}, "plan_webinar": [{}], "plan_audio": {}}


def test_so_it_does_in_an_answer_that_breaks_the_document():
    page = HostsPage.read(b'{"users": [{"meetings": -3, "email": []}], "total_meetings": -4}')
    assert (page.total_meetings, page.users[0].meetings) == (None, None)


def test_a_number_of_which_none_is_listed_is_not_known():
    numbers = [believed(total, first) for total in (97, 0, None) for first in ([], ["a"])]
    assert numbers == [None, 97, 0, 0, None, None]


def test_sizes_that_come_as_text_are_counts_too():
    data = RecordedMeeting.read(
        b'{"total_size": "-5", "recording_count": "3", "recording_files": [{"file_size": -0.5}]}'
    )
    assert (data.total_size, data.recording_count) == (None, "3")
    assert data.recording_files[0].file_size is None
