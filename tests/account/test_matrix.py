"""Settings side by side: what differs, who is odd, and copying from one to others."""

import csv
import io
import re
from html import unescape

import pytest
from django.urls import reverse

from portal.audit.models import AuditEntry
from portal.directory import groups
from portal.directory.models import MirroredUser
from portal.jobs.models import Job, JobState
from portal.people.services.groups import GROUPS
from portal.ui.settings.catalog import MOST_COMPARED
from tests.account.conftest import Held
from tests.account.matrix_pages import page, rows, subjects
from tests.account.pages import address
from tests.support.dashboard_pages import words_of
from tests.support.fault_server import answer, depending
from tests.support.html import form_with
from tests.support.jobs import approve
from tests.support.people import Made, make_group, make_person
from tests.support.portal import admin_client_for

__all__ = ["make_group", "make_person"]

pytestmark = pytest.mark.django_db

CHAT, POLLS = "in_meeting.chat", "in_meeting.polling"


def url_of(connection, held, part="", **query):
    """The page about sub accounts, or about people."""
    kind = "sub-accounts" if isinstance(held[0], Held) and held[0].is_account else "people"
    given = {"subject": [one.id for one in held], **query}
    return reverse(f"account:compare-{kind}{part}", args=[connection.key], query=given)


@pytest.fixture
def two(make_account):
    return [
        make_account(in_meeting={"chat": True, "polling": True}, options={"share_mc": True}),
        make_account(in_meeting={"chat": False, "polling": True}, options={"share_mc": False}),
    ]


def test_only_what_differs_is_shown_and_options_come_first(client, connection, two):
    html = page(client, url_of(connection, two))
    assert list(rows(html)) == ["options.share_mc", CHAT]
    assert rows(html)[CHAT].endswith("Off: 1 On Off") or "On Off" in rows(html)[CHAT]
    assert "2 of" in words_of(html.encode())
    everything = rows(page(client, url_of(connection, two, show="all")))
    assert POLLS in everything
    assert next(iter(everything)) == "options.share_mc"


def test_plans_are_compared_and_lead_to_where_they_are_changed(client, connection, two, sandbox):
    contact = {
        "first_name": "Ada",
        "last_name": "Lane",
        "email": "billing@north.example",
        "phone_number": "+44 20 7946 0000",
        "address": "1 High Street",
        "city": "London",
        "state": "",
        "zip": "N1",
        "country": "GB",
    }
    plans = {"contact": contact, "plan_base": {"type": "Pro", "hosts": 5}}
    assert sandbox.client.post(f"/accounts/{two[0].id}/plans", json=plans).is_success
    html = page(client, url_of(connection, two))
    assert next(iter(rows(html))) == "plans.Base plan"
    assert "Pro, 5 seats None" in rows(html)["plans.Base plan"]
    assert address(connection, "sub-account-base-plan", two[0].id).rstrip("?") in html
    assert "Plans are compared, not copied." in words_of(html.encode())
    assert 'value="plans.' not in html


def test_half_a_word_of_a_name_or_description_finds_a_setting(client, connection, make_holder):
    held = [make_holder(), make_holder()]
    html = page(client, url_of(connection, held, q="WAITING", show="all"))
    assert set(rows(html)) == {"in_meeting.waiting_room"}
    assert "No setting matches" in page(client, url_of(connection, held, q="no such thing"))


def test_the_odd_one_out_is_named_in_words(client, connection, make_holder):
    held = [make_holder(in_meeting={"chat": chat}) for chat in (True, True, False)]
    row = rows(page(client, url_of(connection, held)))[CHAT]
    assert "Differs" not in page(client, url_of(connection, held[1:]))
    assert "On: 2 · Off: 1" in row
    assert row.endswith("On On Off Differs")


def test_people_alike_differ_in_nothing(client, connection, make_holder):
    said = words_of(page(client, url_of(connection, [make_holder(), make_holder()])).encode())
    assert "Nothing differs" in said


def test_who_is_gone_is_a_column_that_says_so_and_can_be_removed(client, connection, make_holder):
    here, gone = make_holder(), make_holder()
    gone.go()
    html = page(client, url_of(connection, [here, gone], show="all"))
    assert "There is no such person any more." in words_of(html.encode())
    assert "Not loaded" in rows(html)[CHAT]
    removed = re.search(r'href="([^"]+)" aria-label="Remove [^"]*' + gone.id, html)
    assert removed
    assert subjects(unescape(removed[1])) == [here.id]


def test_one_who_fails_leaves_the_others_to_be_read(client, faulty, fault_server):
    settings = {"in_meeting": {"chat": True}}
    fault_server.always(
        depending(lambda seen: answer(500, {}) if "/bad/" in seen.path else answer(200, settings))
    )
    query = {"subject": ["good", "bad", ".."], "show": "all"}
    url = reverse("account:compare-people", args=[faulty.key], query=query)
    html = page(client, url)
    assert "The service failed with status 500." in words_of(html.encode())
    assert "This is not the ID of a person." in words_of(html.encode())
    assert "On Not loaded Not loaded" in rows(html)[CHAT]


def test_a_service_that_fails_for_all_is_said_once(client, faulty, fault_server):
    fault_server.always(answer(500, {}))
    url = reverse("account:compare-people", args=[faulty.key], query={"subject": ["a", "b"]})
    assert client.get(url).status_code == 502


def test_more_than_fit_are_said(client, connection, fault_server, faulty):
    fault_server.always(answer(200, {"in_meeting": {"chat": True}}))
    many = [f"u{number}" for number in range(MOST_COMPARED + 3)]
    url = reverse("account:compare-people", args=[faulty.key], query={"subject": many})
    html = page(client, url)
    assert "The first 20 of 23 are shown." in words_of(html.encode())
    assert html.count('aria-label="Remove') == MOST_COMPARED
    assert "/compare/people/add/" not in html


def test_without_subjects_the_page_says_what_it_is_for(client, connection):
    answered = client.get(address(connection, "compare"), follow=True)
    assert "Choose what to compare" in words_of(answered.content)
    url = reverse("account:compare-people", args=[connection.key])
    assert "Choose whom to compare" in words_of(client.get(url).content)


def test_the_file_has_what_the_page_shows(client, connection, two):
    url = url_of(connection, two).replace("?", "export/csv/?")
    content = b"".join(client.get(url).streaming_content).decode("utf-8-sig")
    [head, *lines] = csv.reader(io.StringIO(content))
    assert head[:4] == ["Group", "Name of the setting", "Setting", "Differs"]
    assert [two[0].label in head[4], two[1].label in head[5]] == [True, True]
    assert [line[1] for line in lines] == ["options.share_mc", CHAT]
    assert lines[1][4:] == ["On", "Off"]
    entry = AuditEntry.objects.get(operation="list.export")
    assert entry.sent["filter"] == "differing"
    assert client.get(url.replace("csv", "pdf")).status_code == 404


def test_people_and_groups_are_added_as_far_as_there_is_room(
    client, connection, make_person, make_group
):
    first, second = make_person(), make_person()
    group = make_group(GROUPS)
    members = [make_person(last_name=f"Member {number:02}") for number in range(3)]
    group.put(*members)
    groups.join(connection, GROUPS.mirrored, group.id, [one.id for one in members])
    url = url_of(connection, [first], "-add")
    form = form_with(client.get(url).content.decode(), "group")
    answered = client.post(form.action, {"picked": second.id, "group": f"group {group.id}"})
    assert subjects(answered["Location"]) == [first.id, second.id, *(one.id for one in members)]
    full = [f"u{number}" for number in range(MOST_COMPARED - 1)]
    url = reverse("account:compare-people-add", args=[connection.key], query={"subject": full})
    answered = client.post(url, {"group": f"group {group.id}"})
    assert subjects(answered["Location"]) == [*full, members[0].id]
    assert client.post(url, {}).status_code == 422


def test_sub_accounts_are_found_by_their_owner_and_added(client, connection, two):
    first, second = two
    url = url_of(connection, [first], "-add")
    found = client.get(url, {"field": "picked", "search:picked": second.label})
    assert f'value="{second.id}"' in found.content.decode()
    answered = client.post(url, {"picked": second.id})
    assert subjects(answered["Location"]) == [first.id, second.id]


def test_rows_selected_in_lists_are_compared(client, connection, make_person, make_group):
    people = [make_person(first_name=name) for name in ("Ada", "Grace")]
    ids = [one.id for one in people]
    group = make_group(GROUPS)
    group.put(*people)
    key = connection.key
    for url in (
        reverse("people:compare", args=[key]),
        reverse("groups:members-compare", args=[key, group.id]),
    ):
        answered = client.post(url, {"chosen": ids})
        assert answered["Location"].startswith(f"/c/{key}/account/compare/people/")
        assert set(subjects(answered["Location"])) == set(ids)
        assert "compare" not in client.post(url, {"chosen": []})["Location"]
    link = reverse("groups:members-compare", args=[key, group.id])
    shown = page(client, reverse("groups:group", args=[key, group.id]))
    assert f'href="{link}"' in shown
    assert set(subjects(client.get(link)["Location"])) == set(ids)


def test_first_of_too_many_people_are_compared_others_counted(client, connection):
    many = [f"u{number:02}" for number in range(MOST_COMPARED + 3)]
    MirroredUser.objects.bulk_create(
        MirroredUser(connection=connection, user_id=key, status="active") for key in many
    )
    answered = client.post(
        reverse("people:compare", args=[connection.key]), {"all": "1", "matching": ""}
    )
    assert len(subjects(answered["Location"])) == MOST_COMPARED
    said = words_of(
        client.get(reverse("account:compare-people-add", args=[connection.key])).content
    )
    assert "Up to 20 people can be compared at once. 3 of 23 were left out." in said


def test_selected_sub_accounts_are_compared(client, connection, two):
    assert "Compare settings" in page(client, address(connection, "sub-accounts"))
    url = reverse("account:sub-accounts-compare", args=[connection.key])
    answered = client.post(url, {"kept": f"{two[0].id} {two[1].id}"})
    assert set(subjects(answered["Location"])) == {one.id for one in two}


def copy(client, url, **changes):
    """Fills in the form, as it comes or with changes, and sends it."""
    ticked = {"setting": changes.pop("setting")} if "setting" in changes else {}
    html = client.post(url, ticked).content.decode()
    form = form_with(html, "confirmed")
    return client.post(form.action, form.values | ticked | changes)


def job_of(answered):
    assert answered.status_code == 303, words_of(answered.content)
    return Job.objects.get(key=answered["Location"].rstrip("/").rpartition("/")[2])


def test_all_that_differs_is_copied_after_its_plan_was_approved(client, connection, two, work):
    first, second = two
    targets = [first.id, second.id]
    job = work(job_of(copy(client, url_of(connection, two, "-copy"), targets=targets)))
    assert job.state == JobState.PLANNED, job.reason
    assert job.title.endswith("to 1 sub account")
    assert {change[0] for change in job.items.get().changes} == {
        "Options: Share meeting connectors",
        "In meeting: Chat",
    }
    approve(job)
    assert work(job).state == JobState.DONE
    assert second.settings()["in_meeting"]["chat"] is True
    assert first.settings()["in_meeting"]["chat"] is True
    assert "Nothing differs" in page(client, url_of(connection, two))
    shown = page(client, reverse("jobs:job", args=[connection.key, job.key]))
    assert url_of(connection, two).replace("&", "&amp;") in shown


def test_ticked_settings_alone_are_copied(client, connection, make_holder, work):
    first = make_holder(in_meeting={"chat": True, "polling": True})
    second = make_holder(in_meeting={"chat": False, "polling": False})
    url = url_of(connection, [first, second], "-copy")
    said = words_of(client.post(url, {"setting": CHAT}).content)
    assert "Selected: Chat." in said
    job = work(job_of(copy(client, url, setting=CHAT, targets=[second.id])))
    assert job.parameters["only"] == [CHAT]
    approve(job)
    work(job)
    now = second.settings()["in_meeting"]
    assert (now["chat"], now["polling"]) == (True, False)


def test_copying_to_nobody_or_to_oneself_keeps_what_was_chosen(client, connection, make_holder):
    held = [make_holder(), make_holder()]
    url = url_of(connection, held, "-copy")
    answered = copy(client, url, source=held[1].id, targets=[held[1].id])
    assert answered.status_code == 422
    assert "Choose another than the one to copy from." in words_of(answered.content)
    assert f'value="{held[1].id}" selected' in answered.content.decode()
    assert not Job.objects.exists()


def test_a_viewer_compares_people_and_copies_nothing(connect, viewer, make_holder):
    connection, client = connect(viewer), admin_client_for(viewer)
    held = [make_holder(in_meeting={"chat": chat}) for chat in (True, False)]
    html = page(client, url_of(connection, held))
    assert list(rows(html)) == [CHAT]
    assert "Copy settings" not in html
    assert 'name="setting"' not in html
    assert "/compare/sub-accounts/" not in html
    assert client.get(url_of(connection, held, "-copy")).status_code == 403


def test_a_person_of_the_mirror_is_called_by_name(client, connection, make_person):
    people: list[Made] = [make_person(first_name=name) for name in ("Ada", "Grace")]
    html = page(client, url_of(connection, people))
    assert "Grace Lovelace" in html
    assert reverse("people:person", args=[connection.key, people[0].id]) in html
