"""The audit page: searched, filtered, exported, and each sees what is theirs to see."""

import csv
import io
import json
from datetime import datetime, timedelta

import pytest
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.audit.acts import Act
from portal.audit.changes import ChangeLine, changes
from portal.audit.models import AuditEntry, Outcome
from portal.audit.trail import record
from portal.client import ApiError
from portal.connections.api import api_for
from portal.contract.users import LicenceType, UserUpdate
from tests.support.fault_server import answer, no_answer
from tests.support.html import text_of
from tests.support.portal import admin_client_for
from tests.support.scenarios import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(administrator):
    """A client of the administrator."""
    return admin_client_for(administrator)


def shown(client, **query):
    """The operations on the page, newest first."""
    page = client.get(reverse("audit:trail"), query)
    assert page.status_code == 200
    return [line.entry.operation for line in page.context["lines"]]


def history(connection):
    """A person who is created and changed; their id."""
    api = api_for(scope_of(connection.owner, connection), request_id="request-77")
    ann = person(api)
    api.users.update(ann.id, UserUpdate(dept="Ops"))
    return ann.id


def test_a_change_is_one_line_with_its_end(boss, connection):
    history(connection)
    assert shown(boss)[:2] == ["users.update", "users.create"]
    page = boss.get(reverse("audit:trail")).content.decode()
    assert "Changed a profile" in page
    assert "Done" in page


def test_an_entry_shows_before_and_after(boss, connection):
    history(connection)
    entry = AuditEntry.objects.filter(operation="users.update", intent=None).get()
    page = boss.get(reverse("audit:entry", args=[entry.sequence]))
    assert [(c.title, c.before, c.after) for c in page.context["changes"]] == [
        ("Department", "", "Ops")
    ]
    text = page.content.decode()
    assert "Changed a profile users.update" in text_of(text)
    assert "request-77" in text
    assert entry.path in text


def test_list_names_changes_and_labels_their_choices(boss, connection):
    api = api_for(scope_of(connection.owner, connection))
    ann = person(api)
    api.users.update(ann.id, UserUpdate(dept="Ops", type=LicenceType.BASIC, pmi="1234567890"))
    record(Origin(), Act.MEMBER_ROLE, sent={"role": "viewer"}, before={"role": "operator"})
    page = boss.get(reverse("audit:trail"))
    role, update = page.context["lines"][:2]
    assert [(one.title, one.before, one.after) for one in role.changes] == [
        ("Role", "Operator", "Viewer")
    ]
    data = {one.title: (one.before, one.after) for one in update.changes}
    assert data["Department"] == ("", "Ops")
    assert data["Licence"] == ("Pro", "Basic")
    text = text_of(page.content.decode())
    assert "Role Operator became Viewer" in text
    assert "Department Ops" in text
    assert "1 more" in text
    assert "dept" not in text


def test_moments_durations_and_codes_are_said_in_words(boss):
    before = {"start_time": "2026-03-02T09:00:00Z", "duration": 95, "timezone": "UTC"}
    before["recording_files"] = [{"id": "x", "recording_type": "chat_file", "file_type": "CHAT"}]
    sent = before | {"duration": 60, "recurrence": {"weekly_days": "1,6"}, "until": "2026-12-01"}
    sent["operations"] = ["groups.delete"]
    entry = AuditEntry(operation="meetings.update", before=before, sent=sent)
    lines = {one.title: (one.before, one.after) for one in ChangeLine(entry).changes}
    assert lines["Duration"] == ("1 h 35 min", "1 h")
    assert lines["Recurrence: Days of the week"][1] == "Sunday, Friday"
    assert "Time zone" not in lines
    all_of = {one.title: one.after for one in changes(entry)}
    assert all_of["Start"] == "2 March 2026, 09:00 (UTC)"
    assert all_of["Operations"] == "Delete a group"
    assert all_of["Until"] == "1 December 2026"
    assert all_of["Recording files"] == "Chat messages"
    record(Origin(), Act.JOB_DRAFTED, sent={"kind": "people.remove", "colour": "red"})
    page = boss.get(reverse("audit:trail")).text
    assert "Red" in page
    assert "people.remove" not in page
    assert 'hx-target="#audit-results"' in page


def test_entry_that_failed_gives_reason_that_form_gave(boss, faulty, fault_server):
    said = [{"field": "dept", "message": "Use at most 50 characters."}]
    refused = answer(400, {"code": 300, "message": "Validation failed.", "errors": said})
    fault_server.then(answer(200, {"id": "u1"})).always(refused)
    with pytest.raises(ApiError):
        api_for(scope_of(faulty.owner, faulty)).users.update("u1", UserUpdate(dept="IT"))
    reason = "Validation failed. dept: Use at most 50 characters."
    assert reason in text_of(boss.get(reverse("audit:trail")).content.decode())
    entry = AuditEntry.objects.filter(operation="users.update", intent=None).get()
    page = boss.get(reverse("audit:entry", args=[entry.sequence]))
    assert reason in text_of(page.content.decode())


def test_others_see_only_what_they_did(connection, operator, boss):
    history(connection)
    record(Origin(operator, email=operator.email), Act.SIGN_IN)
    client = admin_client_for(operator)
    assert shown(client) == ["session.begin"]
    foreign = AuditEntry.objects.filter(operation="users.update", intent=None).get()
    url = reverse("audit:entry", args=[foreign.sequence])
    assert client.get(url).status_code == 404
    assert boss.get(url).status_code == 200
    exported = client.get(reverse("audit-export", args=["jsonl"])).getvalue().decode()
    assert "users.update" not in exported
    assert "person" not in client.get(reverse("audit:trail")).context["filters"].fields


def test_acts_and_changes_of_a_job_are_one_line(boss, administrator):
    origin = Origin(administrator, request_id="request-88")
    record(origin, Act.JOB_DRAFTED, object_id="abcd2345", label="Import 2 rows")
    record(Origin(administrator), Act.JOB_APPROVED, object_id="abcd2345", label="Import 2 rows")
    for _ in range(2):
        record(origin, Act.SIGN_OUT, outcome=Outcome.FAILED)
    page = boss.get(reverse("audit:trail"))
    first = page.context["lines"][0]
    assert (first.count, first.failed) == (4, 2)
    assert "4 entries" in text_of(page.text)
    assert "2 not done" in text_of(page.text)
    assert [line.count for line in boss.get("/audit/?q=request-88").context["lines"]] == [1, 1, 1]


def test_filters_narrow_the_lines(boss, connection, operator, administrator):
    person_id = history(connection)
    record(
        Origin(operator, email=operator.email),
        Act.SIGN_IN_FAILED,
        outcome=Outcome.FAILED,
        message="Wrong",
    )
    everything = shown(boss)
    assert shown(boss, person=operator.pk) == ["session.refused"]
    assert shown(boss, person=administrator.pk)[0] == "users.update"
    assert shown(boss, outcome="failed") == ["session.refused"]
    assert shown(boss, family="users") == ["users.update", "users.create"]
    assert shown(boss, family="session") == ["session.refused"]
    assert shown(boss, connection=connection.key)[:2] == ["users.update", "users.create"]
    assert shown(boss, q=person_id) == ["users.update", "users.create"]
    assert shown(boss, q="request-77 users.update") == ["users.update"]
    assert shown(boss, q="nothing has this") == []
    today = timezone.localdate()
    assert shown(boss, since=today, until=today) == everything
    assert shown(boss, until=today - timedelta(days=1)) == []
    assert shown(boss, since=today + timedelta(days=1)) == []


def test_unknown_outcomes_are_found_with_and_without_an_end(boss, faulty, fault_server):
    fault_server.then(answer(200, {"id": "u1"})).always(no_answer())
    with pytest.raises(ApiError):
        api_for(scope_of(faulty.owner, faulty)).users.update("u1", UserUpdate(dept="IT"))
    record(Origin(), Act.SIGN_OUT, outcome=Outcome.BEGUN)
    assert shown(boss, outcome="unknown") == ["session.end", "users.update"]


@pytest.mark.parametrize(
    "query",
    [
        {"person": "x"},
        {"since": "never"},
        {"outcome": "?"},
        {"page": "x"},
        {"below": "x"},
        {"q": "\0"},
    ],
)
def test_filters_that_make_no_sense_do_no_harm(query, boss):
    assert boss.get(reverse("audit:trail"), query).status_code == 200


def test_long_trails_have_pages(boss):
    for _ in range(60):
        record(Origin(), Act.SIGN_IN)
    assert len(shown(boss)) == 50
    assert len(shown(boss, page=2)) == 11


@pytest.fixture
def long_trail(monkeypatch, boss):
    """Makes a trail with more than the ten entries that a page searches at first, and returns an
    older one."""
    for module in ("portal.audit.reading", "portal.audit.views"):
        monkeypatch.setattr(f"{module}.FIRST_STRETCH", 10)
    old = record(Origin(), Act.SIGN_IN_FAILED, outcome=Outcome.FAILED, message="Wrong")
    for _ in range(10):
        record(Origin(), Act.SIGN_OUT)
    return old


def test_a_long_trail_is_looked_at_from_its_end_and_says_how_far(boss, long_trail):
    page = boss.get(reverse("audit:trail"))
    assert "Only the newest 10 entries were searched" in text_of(page.text)
    assert [line.entry.operation for line in page.context["lines"]] == ["session.end"] * 10
    assert page.context["page"].paginator.count == 10
    further = {"below": page.context["below"]}
    assert "session.refused" in shown(boss, **further)
    assert "All entries were searched." in boss.get(reverse("audit:trail"), further).text


def test_further_back_is_searched_until_something_is_there(boss, long_trail, monkeypatch):
    monkeypatch.setattr("portal.audit.reading.NEXT_STRETCH", 2)
    monkeypatch.setattr("portal.audit.views._SECONDS", 60)  # on a machine under load too
    newest = long_trail.sequence + 10
    page = boss.get(reverse("audit:trail"), {"q": "wrong", "below": newest})
    assert [line.entry for line in page.context["lines"]] == [long_trail]
    assert long_trail.sequence - 2 < page.context["below"] <= long_trail.sequence


@pytest.mark.parametrize("query", [{"q": "wrong"}, {"outcome": "failed"}, {"family": "session"}])
def test_what_is_found_further_back_is_one_link_away(boss, long_trail, query):
    page = boss.get(reverse("audit:trail"), query)
    assert "session.refused" not in [line.entry.operation for line in page.context["lines"]]
    link = page.text.partition("back to")[2].partition('<a href="')[2].partition('"')[0]
    found = boss.get(f"{reverse('audit:trail')}{link.replace('&amp;', '&')}")
    assert "session.refused" in [line.entry.operation for line in found.context["lines"]]


def test_days_that_are_asked_for_are_looked_at_from_their_end(boss, long_trail):
    today = timezone.localdate()
    yesterday = timezone.now() - timedelta(days=1)
    QuerySet(AuditEntry).filter(pk=long_trail.pk).update(time=yesterday)
    before = {"until": today - timedelta(days=1), "q": "wrong"}
    page = boss.get(reverse("audit:trail"), before)
    assert [line.entry for line in page.context["lines"]] == [long_trail]
    assert "were searched" not in page.text
    page = boss.get(reverse("audit:trail"), {"since": today})
    assert "were searched" in page.text, "there are more of today"
    page = boss.get(reverse("audit:trail"), {"since": today + timedelta(days=1)})
    assert "were searched" not in page.text


def test_an_export_has_all_of_a_long_trail(boss, long_trail):
    answered = boss.get(reverse("audit-export", args=["csv"]), {"q": "wrong"})
    assert "session.refused" in answered.getvalue().decode()


@pytest.mark.parametrize("typed", ["muller", "MÜLLER", "o\u2019donoghue", "o'donoghue"])
def test_a_name_is_found_in_any_of_its_shapes(boss, operator, typed):
    label = "Ada Mu\u0308ller-O\u02bcDonoghue"
    record(Origin(operator, email=operator.email), Act.SIGN_IN_FAILED, label=label)
    assert shown(boss, q=typed) == ["session.refused"]


def test_an_end_is_found_by_its_own_words_and_its_line_is_shown(
    boss, faulty, fault_server, long_trail
):
    refused = answer(400, {"code": 300, "message": "Peculiar."})
    fault_server.then(answer(200, {"id": "u1"})).always(refused)
    with pytest.raises(ApiError):
        api_for(scope_of(faulty.owner, faulty)).users.update("u1", UserUpdate(dept="IT"))
    assert shown(boss, q="peculiar users.update") == ["users.update"]
    assert shown(boss, q="peculiar", outcome="failed") == ["users.update"]
    assert shown(boss, q="peculiar", until=timezone.localdate()) == ["users.update"]


def test_printed_page_names_its_filters(boss, administrator):
    query = {"outcome": "failed", "person": administrator.pk, "since": "2026-11-02"}
    page = boss.get(reverse("audit:trail"), query).content.decode()
    assert f"Filter: Administrator: {administrator}, Outcome: Failed, From: 2026-11-02" in page


def test_the_page_costs_few_queries(boss, django_assert_max_num_queries):
    for _ in range(60):
        record(Origin(), Act.SIGN_IN)
    boss.get(reverse("audit:trail"))
    with django_assert_max_num_queries(12):
        boss.get(reverse("audit:trail"))


def test_trail_is_exported_as_filtered_and_export_recorded(boss, connection, administrator):
    history(connection)
    url = reverse("audit-export", args=["csv"])
    response = boss.get(url, {"family": "users"})
    assert "attachment" in response["Content-Disposition"]
    assert "no-store" in response["Cache-Control"]
    text = response.getvalue().decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["Operation"] for row in rows] == ["users.update", "users.create"]
    assert rows[0]["Sent"] == '{"dept": "Ops"}'
    assert rows[0]["Outcome"] == "done"
    entry = AuditEntry.objects.latest("sequence")
    assert (entry.operation, entry.actor) == ("audit.export", administrator)
    assert entry.sent == {"format": "csv", "family": "users"}


def test_json_lines_hold_the_same(boss, connection):
    person_id = history(connection)
    response = boss.get(reverse("audit-export", args=["jsonl"]), {"q": person_id})
    values = [json.loads(line) for line in response.getvalue().decode().splitlines()]
    assert [line["operation"] for line in values] == ["users.update", "users.create"]
    assert values[0]["before"] == {"dept": ""}
    assert {line["object_id"] for line in values} == {person_id}


def test_there_are_no_other_formats(boss):
    assert boss.get(reverse("audit-export", args=["pdf"])).status_code == 404


def test_workbook_has_times_as_dates_and_a_sheet_of_its_facts(boss, connection, administrator):
    history(connection)
    query = {"family": "users", "connection": connection.key, "since": "2026-01-02"}
    answered = boss.get(reverse("audit-export", args=["xlsx"]), query)
    book = load_workbook(io.BytesIO(answered.getvalue()))
    head, *lines = book.worksheets[0].iter_rows(values_only=True)
    rows = [dict(zip(head, line, strict=True)) for line in lines]
    assert [row["Operation"] for row in rows] == ["users.update", "users.create"]
    assert isinstance(rows[0]["Time (UTC)"], datetime)
    facts = dict(book["About"].iter_rows(values_only=True))
    assert facts["Account"].startswith(connection.name)
    assert facts["Days"].removeprefix("2 January").removeprefix(" 2026").startswith(" to ")
    assert "Action: People" in facts["Filter"]
    assert facts["Rows"] == len(rows)
    assert facts["Created by"] == str(administrator)
    assert {"Loaded", "Time zone"} <= facts.keys()


def test_more_entries_than_a_sheet_holds_are_refused(boss, monkeypatch):
    monkeypatch.setattr("portal.ui.views.audit_export._MOST", 0)
    record(Origin(email="a@example.com"), Act.SIGN_IN)
    answered = boss.get(reverse("audit-export", args=["xlsx"]), {"q": "a@"}, follow=True)
    assert answered.redirect_chain == [("/audit/?q=a%40", 302)]
    assert "more than a sheet holds" in text_of(answered.text)


def test_formulas_in_an_export_are_neutral(boss):
    record(Origin(email="a@example.com"), Act.SIGN_IN, label='=HYPERLINK("http://evil")')
    response = boss.get(reverse("audit-export", args=["csv"]))
    rows = csv.DictReader(io.StringIO(response.getvalue().decode("utf-8-sig")))
    assert next(rows)["Object"] == '\'=HYPERLINK("http://evil")'
