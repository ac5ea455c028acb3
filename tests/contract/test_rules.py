"""Rules over several fields, reported at the field to change."""

import pytest
from pydantic import ValidationError

from portal.contract.billing import AccountPlanBaseRequired, AccountSubscription
from portal.contract.groups import NewMembers
from portal.contract.meetings import MeetingUpdate, NewMeeting
from portal.contract.paging import Days
from portal.contract.problems import problems
from portal.contract.recurrence import Recurrence
from portal.contract.registrants import RegistrantStatusChange
from portal.contract.usage import StorageQuery
from portal.contract.webinars import NewWebinar, WebinarUpdate


def broken(model, given):
    try:
        model.model_validate(given)
    except ValidationError as error:
        return [(each.field, each.message) for each in problems(error)]
    return []


@pytest.mark.parametrize(
    ("plan", "fewest", "most"),
    [
        ("Pro", 1, 9),
        ("Business", 10, 49),
        ("Education", 20, 149),
        ("Free Trial", 1, 9999),
        ("free_trial", 1, 9999),
        ("business plan", 10, 49),
    ],
)
def test_a_base_plan_has_as_many_hosts_as_it_allows(plan, fewest, most):
    for hosts in (fewest, most):
        assert broken(AccountPlanBaseRequired, {"type": plan, "hosts": hosts}) == []
    for hosts in (fewest - 1, most + 1):
        [(field, _)] = broken(AccountPlanBaseRequired, {"type": plan, "hosts": hosts})
        assert field == "hosts"


def test_plan_that_document_does_not_name_has_no_other_limit():
    assert broken(AccountPlanBaseRequired, {"type": "Promotion", "hosts": 500}) == []


def test_a_rule_is_reported_by_the_dotted_name():
    contact = dict.fromkeys(("first_name", "last_name", "address", "city", "state", "zip"), "x")
    contact |= {"email": "a@b.example", "phone_number": "1", "country": "DE"}
    given = {"contact": contact, "plan_base": {"type": "Pro", "hosts": 10}}
    assert broken(AccountSubscription, given) == [
        ("plan_base.hosts", "A Pro plan has 1 to 9 hosts.")
    ]


def test_a_recurrence_ends_one_way():
    assert broken(Recurrence, {"type": 1, "end_times": 5}) == []
    assert broken(Recurrence, {"type": 1, "end_date_time": "2026-12-31T00:00:00Z"}) == []
    assert broken(
        Recurrence, {"type": 1, "end_times": 5, "end_date_time": "2026-12-31T00:00:00Z"}
    ) == [("end_times", "Give either a number of times or an end, not both.")]


@pytest.mark.parametrize(
    ("kind", "most", "unit"), [(1, 90, "days"), (2, 12, "weeks"), (3, 3, "months")]
)
def test_a_recurrence_is_within_its_longest_interval(kind, most, unit):
    assert broken(Recurrence, {"type": kind, "repeat_interval": most}) == []
    [(field, message)] = broken(Recurrence, {"type": kind, "repeat_interval": most + 1})
    assert field == "repeat_interval"
    assert message.startswith(f"This must be at most {most}")
    assert broken(Recurrence, {"type": kind, "repeat_interval": 0}) == [
        ("repeat_interval", "This must be at least 1.")
    ]


def test_a_week_of_the_month_goes_with_a_day_of_it():
    assert broken(Recurrence, {"type": 3, "monthly_week": -1, "monthly_week_day": 6}) == []
    assert [field for field, _ in broken(Recurrence, {"type": 3, "monthly_week": 1})] == [
        "monthly_week_day"
    ]
    assert [field for field, _ in broken(Recurrence, {"type": 3, "monthly_week_day": 1})] == [
        "monthly_week"
    ]
    both = {"type": 3, "monthly_day": 1, "monthly_week": 1, "monthly_week_day": 1}
    assert [field for field, _ in broken(Recurrence, both)] == ["monthly_day"]


@pytest.mark.parametrize("model", [MeetingUpdate, WebinarUpdate])
def test_a_changed_session_has_its_zone_already(model):
    assert broken(model, {"start_time": "2026-05-01T10:00:00"}) == []


@pytest.mark.parametrize(
    ("model", "once", "recurring"),
    [
        (NewMeeting, [None, 1, 2], [3, 8]),
        (MeetingUpdate, [1, 2], [None, 3, 8]),
        (NewWebinar, [None, 5], [6, 9]),
        (WebinarUpdate, [5], [None, 6, 9]),
    ],
)
def test_only_what_recurs_has_a_recurrence(model, once, recurring):
    def given(kind):
        return {"recurrence": {"type": 1}} | ({"type": kind} if kind else {})

    for kind in once:
        assert [field for field, _ in broken(model, given(kind))] == ["recurrence"]
    for kind in recurring:
        assert broken(model, given(kind)) == []


def test_people_are_named_by_id_or_email():
    for named in ({"id": "u1"}, {"email": "a@b.example"}, {"id": "u1", "email": "a@b.example"}):
        assert broken(NewMembers, {"members": [named]}) == []
        assert broken(RegistrantStatusChange, {"action": "deny", "registrants": [named]}) == []
    assert broken(NewMembers, {"members": [{"id": "u1"}, {"email": ""}]}) == [
        ("members.1.email", "Give an ID or an email.")
    ]


def test_the_last_day_is_not_before_the_first():
    assert broken(Days, {"from": "2026-01-31", "to": "2026-01-31"}) == []
    assert broken(Days, {"from": "2026-02-01", "to": "2026-01-31"}) == [
        ("to", "The last day is before the first.")
    ]


def test_a_storage_report_covers_days_at_most_30_days_apart():
    assert broken(StorageQuery, {"from": "2026-01-01", "to": "2026-01-31"}) == []
    assert broken(StorageQuery, {"from": "2026-01-01", "to": "2026-02-01"}) == [
        ("to", "The days are at most 30 days apart.")
    ]


def test_what_the_service_reports_is_read_whatever_the_rules_are():
    data = Recurrence.read(
        b'{"type": 2, "repeat_interval": 99, "end_times": 3, '
        b'"end_date_time": "2026-12-31T00:00:00Z"}'
    )
    assert (data.repeat_interval, data.end_times) == (99, 3)
