"""Changing a session: only what differs is sent, and nothing is overwritten without a word."""

from datetime import datetime

import pytest
from django.utils import timezone

from portal.audit.models import AuditEntry
from portal.directory import users as directory
from portal.meetings.spec import MEETINGS
from portal.mirror.models import MirrorState
from portal.sessions import mirror
from portal.sessions.mirror import SessionFilter
from tests.support.fault_server import answer, depending, reset
from tests.support.html import form_with, text_of
from tests.support.scopes import whole
from tests.support.session_pages import spec_url, typed, url

pytestmark = pytest.mark.django_db

WEEKLY = {"type": 2, "weekly_days": "2", "end_times": 4}
MONDAY = {"start_time": "2038-03-01T09:00:00", "timezone": "Europe/Berlin", "duration": 30}


def opened(planner, made):
    return typed(form_with(planner.get(url(planner.connection, made, "edit")), "topic"))


def sent(spec):
    """Returns the data that the last change sent."""
    entries = AuditEntry.objects.filter(operation=f"{spec.family}.update", outcome="begun")
    return dict(entries.latest("sequence").sent or {})


def listed(planner, made):
    """Returns the rows of the lists about it."""
    return list(mirror.find(whole(planner.connection), SessionFilter(numbers=[made.id])))


def starts(saved):
    return [one["start_time"] for one in saved["occurrences"]]


def series(make_session, spec):
    return make_session(spec, type=int(spec.series), recurrence=WEEKLY, **MONDAY)


def irregular(planner, make_session):
    """A series of whose dates so many were deleted that no recurrence shows."""
    daily = {"type": 1, "end_times": 10}
    made = make_session(MEETINGS, type=int(MEETINGS.series), recurrence=daily, **MONDAY)
    listed = made.now()["occurrences"]
    for place in (2, 3, 5, 6, 7, 8):
        params = {"occurrence_id": listed[place]["occurrence_id"]}
        planner.sandbox.client.delete(f"/meetings/{made.id}", params=params)
    return made


def test_alternative_host_who_left_is_marked_and_stays(planner, make_host, make_session):
    idle, gone = make_host(), make_host()
    both = f"{idle.email},{gone.email}"
    made = make_session(MEETINGS, settings={"alternative_hosts": both}, **MONDAY)
    planner.sandbox.client.delete(f"/users/{gone.id}")
    directory.drop(planner.connection, gone.id)
    directory.record_written(planner.connection, {idle.id: {"status": "inactive"}})
    address = url(planner.connection, made, "edit")
    assert "Not on the account any more" not in text_of(planner.get(address))
    MirrorState.objects.filter(kind="users").update(refreshed_at=timezone.now())
    shown = " ".join(text_of(planner.get(address)).split())
    assert f"{gone.email} Not on the account any more" in shown
    assert "Deactivated" in shown
    assert (
        planner.send(
            opened(planner, made),
            topic="Another",
            settings__alternative_hosts=[idle.email, gone.email],
        ).status_code
        == 303
    )
    assert made.now()["settings"]["alternative_hosts"] == both


def test_only_what_differs_is_sent(planner, spec, make_session):
    made = make_session(spec, agenda="One\nTwo", **MONDAY)
    before = made.now()
    form = opened(planner, made)
    assert planner.send(form, topic="Another").status_code == 303
    assert set(sent(spec)) <= {"topic", "tracking_fields"}
    assert made.now() == {**before, "topic": "Another", "tracking_fields": _tracked(form)}
    assert [one.topic for one in listed(planner, made)] == ["Another"]


def test_characters_nobody_sees_leave_agenda_and_are_named(planner, make_session):
    made = make_session(MEETINGS, **MONDAY)
    typed_in = "\u3000First\u200b,\r\nthen\u202a more\xa0\r\n"
    answer = planner.send(opened(planner, made), agenda=typed_in)
    assert answer.status_code == 303
    assert made.now()["agenda"] == "First,\nthen more"
    assert "cannot be seen were removed: Agenda" in text_of(planner.get(answer["Location"]))


def _tracked(form):
    names = [name for name in form.values if name.endswith(".field")]
    return [
        {"field": form.values[name], "value": form.values[name.replace(".field", ".value")]}
        for name in names
    ]


def test_nothing_changed_is_said_and_not_sent(planner, spec, make_session):
    made = series(make_session, spec)
    planner.send(opened(planner, made), topic="Tracked")
    before = AuditEntry.objects.count()
    saved = planner.client.post(
        url(planner.connection, made, "edit"), opened(planner, made).values, follow=True
    )
    assert "Nothing was changed." in text_of(saved.text)
    assert AuditEntry.objects.count() == before


@pytest.mark.parametrize(
    ("given", "start"),
    [
        ({"timezone": "America/New_York"}, "2038-03-01T14:00:00Z"),
        ({"start_time": "2038-03-01T10:00"}, "2038-03-01T09:00:00Z"),
    ],
    ids=["zone", "start"],
)
def test_a_start_and_its_zone_are_sent_together(planner, spec, make_session, given, start):
    made = make_session(spec, **MONDAY)
    planner.send(opened(planner, made), **given)
    assert {"start_time", "timezone"} <= set(sent(spec))
    assert made.now()["start_time"] == start


def test_the_second_of_two_equal_times_does_not_move(planner, make_session):
    second = "2038-10-31T01:30:00Z"  # 02:30 in Berlin, for the second time that night
    made = make_session(MEETINGS, start_time=second, timezone="Europe/Berlin", duration=30)
    form = opened(planner, made)
    assert form.values["start_time"] == "2038-10-31T02:30"
    planner.send(form, topic="Another")
    assert made.now()["start_time"] == second


def test_a_recurrence_is_shown_and_stays_unless_it_is_changed(planner, spec, make_session):
    made = series(make_session, spec)
    before = starts(made.now())
    form = opened(planner, made)
    assert (form.values["recurrence.type"], form.values["recurrence.end_times"]) == ("2", "4")
    planner.send(form, topic="Another")
    assert "recurrence" not in sent(spec)
    assert starts(made.now()) == before
    planner.send(opened(planner, made), recurrence__end_times="6")
    assert sent(spec)["recurrence"]["end_times"] == 6
    assert len(starts(made.now())) == 6


def test_times_without_a_rule_are_kept_unless_new_ones_are_set(planner, make_session):
    made = irregular(planner, make_session)
    before = starts(made.now())
    form = opened(planner, made)
    assert form.values["repeat"] == "keep"
    planner.send(form, topic="Another")
    assert starts(made.now()) == before
    refused = planner.send(opened(planner, made), start_time="2038-03-01T10:00")
    assert "replaces all occurrences" in text_of(refused.text)
    assert starts(made.now()) == before
    new = {"repeat": "new", "recurrence__type": "1", "recurrence__end_times": "2"}
    planner.send(opened(planner, made), **new)
    assert [datetime.fromisoformat(one).day for one in starts(made.now())] == [1, 2]


def test_change_made_elsewhere_is_not_overwritten_silently(planner, spec, make_session):
    made = make_session(spec, **MONDAY)
    form = opened(planner, made)
    made.set(topic="Theirs", agenda="New")
    refused = planner.send(form, topic="Ours")
    assert refused.status_code == 422
    assert "This was changed to “Theirs” in the meantime." in text_of(refused.text)
    assert made.now()["topic"] == "Theirs"
    again = form_with(refused.text, "topic")
    assert planner.send(again).status_code == 303
    assert (made.now()["topic"], made.now()["agenda"]) == ("Ours", "New")


def test_start_typed_here_and_zone_changed_there_do_not_mix(planner, make_session):
    made = make_session(MEETINGS, **MONDAY)
    form = opened(planner, made)
    made.set(timezone="America/New_York", start_time="2038-03-01T09:00:00")
    refused = planner.send(form, start_time="2038-03-01T10:00")
    assert refused.status_code == 422
    assert "This was changed" in text_of(refused.text)
    assert made.now()["start_time"] == "2038-03-01T14:00:00Z"


def test_times_changed_elsewhere_are_not_replaced_without_a_word(planner, make_session):
    made = series(make_session, MEETINGS)
    form = opened(planner, made)
    number = made.now()["occurrences"][-1]["occurrence_id"]
    planner.sandbox.client.delete(f"/meetings/{made.id}", params={"occurrence_id": number})
    refused = planner.send(form, recurrence__end_times="8")
    assert "The occurrences were changed in the meantime." in text_of(refused.text)
    assert len(starts(made.now())) == 3
    again = form_with(refused.text, "topic")
    assert planner.send(again).status_code == 303
    assert len(starts(made.now())) == 8


def test_a_meeting_goes_to_another_host(planner, make_session, make_host):
    made, other = make_session(MEETINGS, **MONDAY), make_host(first_name="Grace")
    assert planner.send(opened(planner, made), schedule_for=other.id).status_code == 303
    assert made.now()["host_id"] == other.id


def test_a_type_can_change_and_takes_its_times_along(planner, spec, make_session):
    made = make_session(spec, **MONDAY)
    weekly = {"recurrence__type": "2", "ends": "times", "recurrence__end_times": "3"}
    planner.send(opened(planner, made), type=str(int(spec.series)), **weekly)
    assert len(starts(made.now())) == 3
    loose = str(int(next(iter(spec.recurring - spec.fixed))))
    planner.send(opened(planner, made), type=loose)
    assert (made.now()["type"], made.now()["occurrences"]) == (int(loose), [])


def test_what_was_typed_outlives_a_service_that_does_not_answer(
    planner, client, faulty, fault_server
):
    held = {"id": "7", "topic": "Budget review", "type": 2, "host_id": "u1", "timezone": "UTC"}
    held["start_time"] = "2038-03-01T08:00:00Z"

    def service(seen):
        fields = seen.path.endswith("/tracking_fields")
        return answer(200, {"tracking_fields": []} if fields else held)

    fault_server.always(depending(service))
    address = spec_url(faulty, MEETINGS, "edit", "7")
    form = form_with(client.get(address).text, "topic")
    fault_server.always(reset())
    failed = client.post(address, form.values | {"topic": "Typed before"})
    assert failed.status_code == 422
    assert form_with(failed.text, "topic").values["topic"] == "Typed before"
    assert "cannot be reached" in text_of(failed.text)
