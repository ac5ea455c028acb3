"""People by when they signed in last: in the list, in files, in views, and as a selection."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.directory import users as mirror
from portal.jobs.models import Job, JobState
from portal.ui.models import SavedView
from tests.support.html import form_with, text_of

pytestmark = pytest.mark.django_db

DAYS = {"today": 0, "spring": 31, "winter": 91, "last year": 200}


@pytest.fixture
def people(make_person, connection):
    """One for each of `DAYS`, by how many days ago they signed in, and one who never did."""
    made = {name: make_person(first_name=name.title()) for name in (*DAYS, "never")}
    for name, days in DAYS.items():
        seen = timezone.now() - timedelta(days=days, minutes=1)
        mirror.record_written(connection, {made[name].id: {"last_login_time": seen}})
    mirror.record_written(connection, {made["never"].id: {"last_login_time": None}})
    return made


def _url(connection, name="list", *args, **query):
    return reverse(f"people:{name}", args=[connection.key, *args], query=query or None)


def _listed(html, people):
    return {name for name, one in people.items() if f'data-key="{one.id}"' in html}


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ("", {*DAYS, "never"}),
        ("never", {"never"}),
        ("30", {"spring", "winter", "last year"}),
        ("90", {"winter", "last year"}),
        ("180", {"last year"}),
        ("45", {*DAYS, "never"}),
    ],
)
def test_list_narrows_to_those_who_did_not_sign_in_for_so_long(
    client, connection, people, last, expected
):
    html = client.get(_url(connection, last_sign_in=last)).content.decode()
    assert _listed(html, people) == expected


def test_it_is_among_the_filters_that_are_set(client, connection, people):
    html = client.get(_url(connection, last_sign_in="90", type="2")).content.decode()
    assert "Last sign-in: Over 90 days ago" in text_of(html)
    assert 'href="?type=2"' in html
    assert "2 people found" in text_of(html)


def test_it_goes_together_with_a_search_and_any_order(client, connection, people):
    for sort in ("name", "-last_login_time", "email"):
        state = {"last_sign_in": "30", "q": "winter", "sort": sort}
        html = client.get(_url(connection, **state)).content.decode()
        assert _listed(html, people) == {"winter"}, sort


def test_a_file_holds_those_whom_the_list_shows(client, connection, people):
    answer: Any = client.get(_url(connection, "export", "csv", last_sign_in="180"))
    text = b"".join(answer.streaming_content).decode()
    assert {name for name, one in people.items() if one.email in text} == {"last year"}


def test_a_saved_view_keeps_it(client, connection, people):
    save = reverse("lists:view-save", args=[connection.key, "people"])
    client.post(save, {"name": "Asleep", "query": "last_sign_in=never"})
    view = SavedView.objects.get(connection=connection)
    html = client.get(f"{_url(connection)}?{view.query}&view={view.pk}").content.decode()
    assert _listed(html, people) == {"never"}


def test_all_that_match_are_changed_and_nobody_else(client, connection, people, work):
    selection = {"all": "1", "matching": "last_sign_in=90"}
    address = _url(connection, "chosen-department")
    form = form_with(client.post(address, selection).content.decode(), "confirmed")
    answer = client.post(address, {**form.values, "dept": "Archive"})
    job = work(Job.objects.get(key=answer["Location"].rstrip("/").rpartition("/")[2]))
    assert job.state == JobState.PLANNED, job.reason
    chosen = {item.object_id for item in job.items.all()}
    assert chosen == {people["winter"].id, people["last year"].id}


def test_a_selection_by_days_that_are_not_offered_is_refused(client, connection, people):
    selection = {"all": "1", "matching": "last_sign_in=45"}
    client.post(_url(connection, "chosen-department"), selection)
    assert not Job.objects.exists()
    assert "The list has changed" in text_of(client.get(_url(connection)).content.decode())
