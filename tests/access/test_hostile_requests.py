"""No route fails at any request: it refuses, or makes the best of it."""

from random import Random

import pytest
from django.db import connection
from django.urls import reverse

from tests.access.hostile_requests import ENDS_SESSIONS, SEED, Hostile, Names
from tests.support.chat_pages import open_archive
from tests.support.portal import admin_client_for
from tests.support.routes import NAMED, undone
from tests.support.samples import WORDS

pytestmark = pytest.mark.django_db


def as_postgresql(execute, sql, values, *rest):
    """Refuses NUL in what a query is given, whatever the database."""
    assert not any(isinstance(value, str) and "\0" in value for value in values or ()), sql
    return execute(sql, values, *rest)


def test_no_route_fails_at_hostile_requests(answering_all, failures):
    """A third of them; `test_hostile_requests_of_all.py` sends more to all."""
    client = admin_client_for(answering_all.owner)
    client.raise_request_exception = False
    open_archive(client, answering_all)
    signed_in, broken = dict(client.cookies), []
    given = {"user_id": WORDS, "session_id": "123456789", "room_id": WORDS}
    for route in NAMED[::3]:
        if route.name in ENDS_SESSIONS:
            continue
        hostile = Hostile(Random(f"{SEED} {route.name}"), Names())  # noqa: S311 - drawn again
        with undone(), connection.execute_wrapper(as_postgresql):
            url = route.url_of(answering_all.owner, answering_all, None, **given)
            for send in (hostile.get, hostile.post):
                client.cookies.update(signed_in)
                failures.clear()
                if send(client, url, []).status_code >= 500:
                    broken.append(f"{url} {hostile.last}\n{''.join(failures)}")
    assert broken == [], "\n\n".join(broken)


@pytest.mark.parametrize(
    "number", ["\N{SUPERSCRIPT TWO}", "\N{ARABIC-INDIC DIGIT TWO}", "9" * 5_000]
)
def test_what_only_looks_like_a_number_is_none(answering_all, failures, number):
    client = admin_client_for(answering_all.owner)
    client.raise_request_exception = False
    columns = reverse("lists:columns", args=[answering_all.key, "people"])
    assert client.post(columns, {"view": number}).status_code == 303
    chosen = {"chosen": number, "matching": ""}
    assert (
        client.post(reverse("meetings:export", args=[answering_all.key, "csv"]), chosen).status_code
        < 500
    )
    assert (
        client.post(reverse("sessions:policy-wait", args=[answering_all.key]), chosen).status_code
        < 500
    )
    asked = {"template": number, "page": number}
    assert client.get(reverse("meetings:create", args=[answering_all.key]), asked).status_code < 500
    assert failures == []


@pytest.mark.parametrize(
    ("page", "query", "status"),
    [
        ("people:chosen-offboard", {"field": "x"}, 404),
        ("people:licences-reclaim", {"field": "x"}, 404),
        *(
            ("sessions:calendar", {"day": day, "view": view}, 200)
            for day in ("0001-01-01", "9999-12-31", "1900-01-01", "2999-12-31")
            for view in ("month", "week", "list")
        ),
    ],
)
def test_a_query_that_makes_no_sense_is_no_failure(answering_all, page, query, status):
    client = admin_client_for(answering_all.owner)
    client.raise_request_exception = False
    with connection.execute_wrapper(as_postgresql):
        answer = client.get(reverse(page, args=[answering_all.key]), query)
    assert answer.status_code == status


def test_a_search_for_who_gets_things_needs_no_selection(answering_all):
    client = admin_client_for(answering_all.owner)
    page = reverse("people:chosen-offboard", args=[answering_all.key])
    assert client.get(page, {"field": "recipient", "search:recipient": "a"}).status_code == 200


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "2999-12-31"])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Adak"])
def test_day_at_end_of_time_is_filter_that_makes_no_sense(answering_all, failures, day, zone):
    client = admin_client_for(answering_all.owner)
    client.cookies["zone"] = zone
    for name in ("since", "until"):
        assert client.get(reverse("audit:trail"), {name: day}).status_code == 200
