"""Licences of services of today: those that can be given are offered, others are only shown."""

import pytest
from django.urls import reverse

from portal.directory.models import MirroredUser
from tests.people.importing import new_email, problems
from tests.support.people_pages import url

pytestmark = pytest.mark.django_db


@pytest.fixture
def of_today(connection):
    connection.dialect = "current"
    connection.save()
    return connection


def offered(client, connection, name, *of_page):
    """Returns the licences that a page offers, by their numbers."""
    address = url(connection, *of_page, name) if of_page else reverse(name, args=[connection.key])
    fields = client.get(address).context["form"].fields
    field = next(fields[one] for one in ("type", "user_info.type", "licence") if one in fields)
    return [str(value) for value, _words in field.choices if value != ""]


@pytest.mark.parametrize("page", ["people:create", "people:onboarding-new"])
def test_licence_that_service_does_not_give_is_not_offered(client, of_today, page):
    assert offered(client, of_today, page) == ["1", "2"]


def test_bulk_change_and_counts_offer_what_service_gives(client, of_today, person):
    selected = {"chosen": [person.id], "matching": ""}
    page = client.post(reverse("people:chosen-licence", args=[of_today.key]), selected)
    assert dict(page.context["form"].fields["type"].choices) == {1: "Basic", 2: "Pro"}
    page = client.get(reverse("people:import-seats", args=[of_today.key]))
    assert list(page.context["form"].fields) == ["pro"]


def test_licence_that_is_there_already_stays_a_choice(client, of_today, make_person):
    assert offered(client, of_today, "licence", make_person(type=3)) == ["1", "2", "3"]
    assert offered(client, of_today, "licence", make_person(type=2)) == ["1", "2"]


def test_row_with_a_licence_that_is_not_given_is_refused(of_today, make_person, plan_of):
    same, email = make_person(type=3), new_email()
    job = plan_of({"email": email, "type": "Corp"}, {"email": same.email, "type": "Corp"})
    refused, unchanged = job.items.order_by("number")
    assert problems(refused) == [("type", "This service does not give the licence Corp.")]
    assert unchanged.state == "unchanged"


def test_reported_licences_are_in_the_filter_by_name(client, of_today, make_person):
    for licence in (4, 99, 7):
        MirroredUser.objects.filter(user_id=make_person().id).update(type=licence)
    page = client.get(reverse("people:list", args=[of_today.key]))
    choices = dict(page.context["filters"].fields["type"].choices)
    assert [choices[licence] for licence in (4, 7, 99)] == [
        "No meetings licence",
        "Type 7",
        "None (single sign-on)",
    ]
