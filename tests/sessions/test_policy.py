"""Sessions that break a rule: found in the mirror, listed, and remediated by a job over real
HTTP."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from portal.connections.api import api_for
from portal.contract.meetings import MeetingDetails
from portal.contract.users import User as UserDetails, UserStatus
from portal.contract.webinars import WebinarDetails
from portal.directory import users
from portal.jobs.job_types import ItemVerdict
from portal.jobs.models import ItemState, Job, JobState
from portal.meetings.spec import MEETINGS
from portal.mirror.models import MirrorState
from portal.sessions import mirror
from portal.sessions.jobs.remediation import RemediateSessionsJob
from portal.sessions.models import MirroredSession
from portal.sessions.policy.finding import overlapping
from portal.ui.models import ListColumns
from portal.webinars.spec import WEBINARS
from tests.support.html import form_with, text_of
from tests.support.jobs import approve
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db

_SEEN = {"meetings": MeetingDetails, "webinars": WebinarDetails}


@pytest.fixture(autouse=True)
def was_read(connection):
    """Sessions were read a moment ago, so that no page asks for a reading."""
    state = mirror.state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=timezone.now())


def start(days=2):
    return f"{timezone.now() + timedelta(days=days):%Y-%m-%dT%H:%M:00Z}"


def known(connection, *sessions):
    """Has the mirror know them as the service reports them."""
    for made in sessions:
        details: Any = _SEEN[made.spec.family].model_validate(made.now())
        mirror.put(connection, made.spec.family, details)


def mirrored(connection, number, kind="meetings", **given):
    usual = {"id": number, "topic": f"No {number}", "type": 2, "host_id": "h", "duration": 30}
    own = {"password": "x"} if kind == "meetings" else {}
    made: Any = _SEEN[kind].model_validate({**usual, **own, **given})
    mirror.put(connection, kind, made)


def listed(client, connection, rule="", **query):
    answer = client.get(f"/c/{connection.key}/policy/", {"rule": rule, **query})
    assert answer.status_code == 200
    return set(re.findall(r'class="row-link" href="[^"]*">([^<]*)</a>', answer.text))


def deactivate(sandbox, connection, host):
    sandbox.client.put(f"/users/{host.id}/status", json={"action": "deactivate"})
    answer = sandbox.client.get(f"/users/{host.id}")
    users.put(connection, UserDetails.read(answer.content), UserStatus.INACTIVE)


def planned(client, connection, remediation, *sessions, **sent):
    """Chooses sessions in the list, and answers the form, twice as a double click does."""
    address = f"/c/{connection.key}/policy/{remediation}/"
    numbers = [made.id for made in sessions]
    keys = MirroredSession.objects.filter(session_id__in=numbers).values_list("pk", flat=True)
    asked = client.post(address, {"chosen": list(keys)})
    assert asked.status_code == 200, text_of(asked.text)
    form = form_with(asked.text, "idempotency_key")
    begun = client.post(form.action, form.values | sent)
    assert begun.status_code == 303, text_of(begun.text)
    assert client.post(form.action, form.values | sent)["Location"] == begun["Location"]
    [job] = Job.objects.filter(kind="sessions.mend")
    return job


def carried_out(job, work):
    ready = work(job)
    assert ready.state == JobState.PLANNED, ready.reason
    approve(ready)
    return work(ready)


def test_each_rule_finds_what_is_coming_and_breaks_it(client, connection):
    mirrored(connection, 1, start_time=start(), password="")
    mirrored(connection, 2, start_time=start(-3), password="")
    mirrored(connection, 3, type=3, password="")
    mirrored(connection, 4, start_time=start(3), settings={"join_before_host": True})
    public = {"tracking_fields": [{"field": "Audience", "value": "Public"}]}
    mirrored(connection, 5, start_time=start(5), settings={"approval_type": 2}, **public)
    mirrored(connection, 6, start_time=start(6), settings={"approval_type": 0}, **public)
    mirrored(connection, 7, "webinars", type=5, start_time=start(9), settings={}, **public)
    mirrored(connection, 8, start_time=start(9), host_id="h")
    assert listed(client, connection) == {"No 1", "No 3"}
    assert listed(client, connection, q="No 3") == {"No 3"}
    assert listed(client, connection, kind="webinars") == set()
    assert listed(client, connection, "early") == {"No 4"}
    assert listed(client, connection, "clash") == {"No 7", "No 8"}
    shown = text_of(client.get(f"/c/{connection.key}/policy/", {"rule": "clash"}).text)
    assert " Webinar " in shown
    rows, _, _ = shown.partition("Overlaps with")[2].partition("1\N{EN DASH}2 of 2")
    assert " webinars " not in rows


def test_a_series_is_listed_by_its_next_time(client, connection):
    series = [
        {"occurrence_id": number, "start_time": start(days), "duration": 30}
        for number, days in enumerate((-9, -2, 5, 12), start=1)
    ]
    mirrored(connection, 1, password="", start_time=start(9))
    mirrored(connection, 2, password="", type=8, start_time=start(-9), occurrences=series)
    mirrored(connection, 3, password="", type=3)
    mirrored(connection, 4, password="", start_time=start(2))
    address = f"/c/{connection.key}/policy/"
    rows = re.compile(r'class="row-link" href="[^"]*">([^<]*)</a>')
    text = client.get(address).text
    assert rows.findall(text) == ["No 4", "No 2", "No 1", "No 3"]
    assert f'datetime="{start(5)[:10]}' in text
    assert f'datetime="{start(-9)[:10]}' not in text
    later = client.get(address, {"sort": "-start_time"}).text
    assert rows.findall(later) == ["No 1", "No 2", "No 4", "No 3"]


def test_separate_findings_are_shown_whatever_the_columns(client, connection, administrator):
    for number in (1, 2):
        mirrored(connection, number, start_time=start())
    kept = {"user": administrator, "list_name": "policy", "columns": ["topic", "host"]}
    ListColumns.objects.create(**kept)
    address = f"/c/{connection.key}/policy/"
    assert "Overlaps with" in client.get(address, {"rule": "clash"}).text
    assert "Overlaps with" not in client.get(address, {"rule": "early"}).text


def test_a_rule_that_nothing_breaks_says_so(client, connection):
    mirrored(connection, 1, start_time=start())
    text = client.get(f"/c/{connection.key}/policy/").text
    assert "No issues found" in text
    assert "1 upcoming session" in text_of(text)


def test_clashes_are_of_one_host_and_name_each_other(client, connection):
    mirrored(connection, 1, start_time=start(2), duration=60)
    mirrored(connection, 2, start_time=start(2.02), duration=60)
    mirrored(connection, 3, start_time=start(2.02), duration=60, host_id="other")
    mirrored(connection, 4, start_time=start(4))
    assert listed(client, connection, "clash") == {"No 1", "No 2"}
    page = client.get(f"/c/{connection.key}/policy/", {"rule": "clash", "q": "No 1"}).text
    assert f'<a href="/c/{connection.key}/meetings/2/">No 2</a>' in page


def test_overlaps_are_those_that_comparing_each_with_each_finds():
    begin = datetime(2030, 1, 1, tzinfo=UTC)

    def at(minutes):
        return begin + timedelta(minutes=minutes)

    # Lengths and starts that touch, nest, and pile up, some sessions several times.
    rows = [
        ("ab"[n % 2], n % 40, at(n * 37 % 900), at(n * 37 % 900 + 5 + n * 11 % 60))
        for n in range(120)
    ]
    expected = {
        one[1]
        for one in rows
        for other in rows
        if one[0] == other[0] and one[1] != other[1] and one[2] < other[3] and other[2] < one[3]
    }
    found = overlapping(sorted(rows, key=lambda row: (row[0], row[2])))
    assert set(found) == expected
    assert len(expected) > 10
    nested = [("a", 1, at(0), at(300)), ("a", 2, at(10), at(20)), ("a", 3, at(30), at(40))]
    assert {one: {c.session for c in others} for one, others in overlapping(nested).items()} == {
        1: {2, 3},
        2: {1},
        3: {1},
    }
    assert overlapping([("a", 1, at(0), at(10)), ("a", 2, at(10), at(20))]) == {}


def test_missing_passwords_are_set_and_shown_nowhere(client, connection, make_session, work):
    settings = {"mute_upon_entry": True, "join_before_host": True}
    open_, fixed, late = (
        make_session(MEETINGS, topic=topic, start_time=start(), settings=settings)
        for topic in ("Open", "Fixed", "Late")
    )
    known(connection, open_, fixed, late)
    assert listed(client, connection) >= {"Open", "Fixed", "Late"}
    fixed.set(password="own")
    job = work(planned(client, connection, "password", open_, fixed, late))
    states = dict(job.items.values_list("label", "state"))
    unchanged, pending = ItemState.UNCHANGED, ItemState.PENDING
    assert states == {"Open": pending, "Fixed": unchanged, "Late": pending}
    [secret] = [item.secret["password"] for item in job.items.filter(label="Open")]
    late.set(password="later")
    done = carried_out(job, work)
    assert done.state == JobState.DONE
    assert open_.now()["password"] == secret
    assert re.fullmatch(r"[A-Za-z0-9]{10}", secret)
    assert (fixed.now()["password"], late.now()["password"]) == ("own", "later")
    assert open_.now()["settings"]["mute_upon_entry"] is True
    assert listed(client, connection) & {"Open", "Late"} == set()
    assert secret not in client.get(f"/c/{connection.key}/jobs/{job.key}/").text
    assert secret not in done.items.get(label="Open").sealed


def test_settings_are_changed_alone(client, connection, make_session, work):
    settings = {"join_before_host": True, "mute_upon_entry": True}
    made = make_session(MEETINGS, topic="Early", start_time=start(), settings=settings)
    known(connection, made)
    done = carried_out(planned(client, connection, "wait", made), work)
    assert done.state == JobState.DONE
    assert done.items.get().changes == [["Join before host", "On", "Off"]]
    now = made.now()["settings"]
    assert (now["join_before_host"], now["mute_upon_entry"]) == (False, True)
    assert "Early" not in listed(client, connection, "early")


def test_sessions_of_deactivated_host_move_or_are_deleted(planner, make_host, make_session, work):
    client, connection, sandbox = planner.client, planner.connection, planner.sandbox
    gone, back, heir = make_host(), make_host(), make_host(first_name="Grace")
    meeting = make_session(MEETINGS, of=gone, topic="Orphan", start_time=start())
    webinar = make_session(WEBINARS, of=gone, topic="Orphaned", start_time=start(4))
    kept = make_session(MEETINGS, of=back, topic="Back", start_time=start())
    known(connection, meeting, webinar, kept)
    deactivate(sandbox, connection, gone)
    deactivate(sandbox, connection, back)
    sandbox.client.put(f"/users/{back.id}/status", json={"action": "activate"})
    assert listed(client, connection, "host") == {"Orphan", "Orphaned", "Back"}
    job = work(planned(client, connection, "reassign", meeting, webinar, kept, person=heir.id))
    states = dict(job.items.values_list("label", "state"))
    assert states == {
        "Orphan": ItemState.PENDING,
        "Orphaned": ItemState.INVALID,
        "Back": ItemState.UNCHANGED,
    }
    assert carried_out(job, work).state == JobState.DONE
    assert meeting.now()["host_id"] == heir.id
    assert kept.now()["host_id"] == back.id
    assert listed(client, connection, "host") == {"Orphaned", "Back"}
    job.delete()
    deletion = work(planned(client, connection, "delete", webinar, kept))
    assert carried_out(deletion, work).state == JobState.DONE
    assert webinar.now() == {}
    assert kept.now() != {}
    assert listed(client, connection, "host") == {"Back"}


def test_all_that_match_are_those_of_rule_they_were_chosen_in(client, connection, make_session):
    made = [make_session(MEETINGS, topic=f"Ask {n}", start_time=start()) for n in range(2)]
    known(connection, *made)
    address = f"/c/{connection.key}/policy/password/"
    asked = client.post(address, {"all": "1", "matching": "q=Ask"})
    assert "2 sessions" in asked.text
    other = client.post(address, {"all": "1", "matching": "rule=early"})
    assert other.status_code == 303
    assert not Job.objects.filter(kind="sessions.mend").exists()


def test_an_unknown_outcome_is_settled_by_asking(client, connection, make_session, work):
    made = make_session(MEETINGS, topic="Doubt", start_time=start())
    known(connection, made)
    job = work(planned(client, connection, "password", made))
    item, api = job.items.get(), api_for(whole(connection))
    assert RemediateSessionsJob().resolve(api, item).verdict is ItemVerdict.NOT_DONE
    made.set(password="done")
    assert RemediateSessionsJob().resolve(api, item).verdict is ItemVerdict.DONE
