"""Attacks with a limited share: to become the owner, to see and stop the work of others."""

import pytest
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.roles import Role
from portal.account.models import Baseline
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.audit.trail import record
from portal.connections.services import shares
from portal.jobs import services
from portal.jobs.models import ItemState, Job, JobItem, JobState
from portal.people.listing import PeopleFilter
from portal.recordings.models import RetentionRule
from portal.reports.models import SavedReport
from portal.team import accounts
from tests.support.job_types import CreatePeople
from tests.support.mails import delivered
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db

PLANTED = "quillon.averill@brightwater.example"


@pytest.fixture
def second(db):
    return member("second@example.com", Role.ADMINISTRATOR)


@pytest.fixture
def third(db):
    return member("third@example.com", Role.ADMINISTRATOR)


@pytest.fixture
def of_another(connection):
    """Returns a job of the owner, with a person's name in its title and in a row."""
    job = services.draft(Origin(connection.owner), connection, CreatePeople.name, PLANTED)
    JobItem.objects.create(job=job, number=1, label=PLANTED, state=ItemState.PENDING)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING)
    return job


def handed(client, connection, to, name="Mine"):
    url = reverse("connections:hand-over", args=[connection.key])
    data = {"to": to.pk, "name": name, "keeps": "", "seen": shares.version_of(connection)}
    return client.post(url, data).status_code


def owner_of(connection):
    return Connection.objects.select_related("owner").get(pk=connection.pk).owner


def test_nobody_hands_the_connection_of_another_to_themselves(
    connect, connection, administrator, second, third
):
    share_with(connection, second, departments=["Sales"])
    share_with(connection, third)
    client = admin_client_for(second)
    assert handed(client, connection, second) == 404
    assert handed(client, connection, third) == 404  # the owner is not asked either
    accounts.deactivate(Origin(), administrator)
    assert handed(client, connection, second) == 404
    assert handed(client, connection, third) == 404  # they do not see all of it themselves
    assert owner_of(connection) == administrator


def test_of_deactivated_owner_administrator_gives_it_to_others(
    connection, administrator, second, third, mailoutbox
):
    share_with(connection, second)
    share_with(connection, third, departments=["Sales"])
    accounts.deactivate(Origin(), administrator)
    client = admin_client_for(second)
    page = client.get(reverse("connections:hand-over", args=[connection.key])).text
    assert "the limits of their access end" in page
    assert handed(client, connection, second) == 422
    assert handed(client, connection, third) == 302
    assert owner_of(connection) == third


def test_where_there_is_a_second_administrator_they_confirm_it(
    connection, administrator, second, third, viewer
):
    share_with(connection, viewer)
    accounts.deactivate(Origin(), administrator)
    first = admin_client_for(second)
    for _ in range(2):  # the same one twice is one
        assert handed(first, connection, viewer) == 302
        assert owner_of(connection) == administrator
    page = admin_client_for(third).get(reverse("connections:hand-over", args=[connection.key])).text
    assert "second@example.com asked for what is filled in here" in page
    assert handed(admin_client_for(third), connection, viewer, "Another name") == 302
    assert owner_of(connection) == administrator
    assert handed(first, connection, viewer) == 302
    assert handed(admin_client_for(third), connection, viewer) == 302
    assert owner_of(connection) == viewer
    entry = AuditEntry.objects.order_by("-sequence")[0]
    assert (entry.email, entry.approved_by) == ("third@example.com", "second@example.com")


def test_the_former_owner_is_told_by_mail(connection, administrator, second, third):
    share_with(connection, third)
    accounts.deactivate(Origin(), administrator)
    assert handed(admin_client_for(second), connection, third) == 302
    _deactivated, told = delivered()
    assert told.to == [administrator.email]
    assert "second@example.com handed your connection" in told.body


def test_who_can_confirm_a_hand_over_is_mailed_once(connection, second, third, viewer):
    limited = member("limited@example.com", Role.ADMINISTRATOR)
    share_with(connection, viewer)
    share_with(connection, limited, departments=["Sales"])
    accounts.deactivate(Origin(), connection.owner)
    for _ in range(2):
        assert handed(admin_client_for(second), connection, viewer) == 302
    _deactivated, mail = delivered()
    assert mail.to == ["third@example.com"]
    assert "second@example.com asks to hand the connection" in mail.body
    assert reverse("connections:hand-over", args=[connection.key]) in mail.body
    assert connection.token.value not in mail.body


@pytest.mark.whole_pages
@pytest.mark.parametrize("limits", [{"families": ["devices"]}, {"departments": ["Sales"]}])
def test_a_limited_share_sees_and_stops_no_job_of_others(connection, second, of_another, limits):
    share_with(connection, second, **limits)
    client, key = admin_client_for(second), of_another.key
    for name in ("list", "running"):
        answer = client.get(
            reverse(f"jobs:{name}", args=[connection.key]), headers={"HX-Request": "true"}
        )
        assert PLANTED not in answer.text
    assert PLANTED not in client.get("/").text
    for name in ("job", "pause", "cancel"):
        url = reverse(f"jobs:{name}", args=[connection.key, key])
        assert {client.get(url).status_code, client.post(url).status_code} <= {404, 405}
    rows = reverse("jobs:rows", args=[connection.key, key, "all", "csv"])
    assert client.get(rows).status_code == 404
    of_another.refresh_from_db()
    assert of_another.state == JobState.RUNNING


def test_entry_without_undo_is_shown_to_no_other_share(connection, second, viewer):
    entry = record(
        Origin(connection.owner),
        Act.PERSON_OFFBOARDED,
        object_id="planted",
        label=PLANTED,
        connection=connection,
        sent={},
    )
    share_with(connection, second, families=["devices"])
    share_with(connection, viewer)
    undo = reverse("changes:undo", args=[connection.key, entry.sequence])
    for other in (second, viewer):
        answer = admin_client_for(other).get(undo)
        assert answer.status_code == 404
    assert admin_client_for(connection.owner).get(undo).status_code == 200
    assert AuditEntry.objects.filter(sequence=entry.sequence).exists()


def test_limited_share_learns_no_count_of_all_people(connection, administrator, second):
    Connection.objects.filter(pk=connection.pk).update(people=987654, account_owner=PLANTED)
    share_with(connection, second, departments=["Sales"])
    for name, more in (("list", []), ("connection", [connection.key])):
        url = reverse(f"connections:{name}", args=more)
        assert "987,654" in admin_client_for(administrator).get(url).text
        text = admin_client_for(second).get(url).text
        assert "987,654" not in text
        assert PLANTED not in text


def test_imports_of_others_are_no_filter_of_a_limited_share(connection, administrator, second):
    share_with(connection, second, departments=["Sales"])
    for owner, title in ((administrator, PLANTED), (second, "Their own")):
        job = services.draft(Origin(owner), connection, "people.import", title)
        Job.objects.filter(pk=job.pk).update(approved_at=timezone.now())
    offered = PeopleFilter(QueryDict(), scope_of(second, connection)).fields["job"].choices
    assert [title for _key, title in offered] == ["Created by: any import", "Their own"]


def test_the_pages_about_a_share_name_what_runs_by_it(connection, administrator, second):
    share_with(connection, second)
    services.draft(Origin(second), connection, CreatePeople.name, "Create many people")
    due = timezone.now()
    SavedReport.objects.create(
        connection=connection, owner=second, name="Use of rooms", slug="hosts", next_at=due
    )
    Baseline.objects.create(
        connection=connection, owner=second, name="Chat off", kind="people", brings_back=True
    )
    RetentionRule.objects.create(connection=connection, owner=second, older_than=41, is_active=True)
    for name in ("share", "share-limits", "share-remove"):
        url = reverse(f"connections:{name}", args=[connection.key, second.pk])
        text = admin_client_for(administrator).get(url).text
        for words in ("Create many people", "Use of rooms", "Chat off", "older than 41 days"):
            assert words in text, name
