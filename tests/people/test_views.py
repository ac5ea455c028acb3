"""Views of the list of people: chosen columns, and views under a name."""

import pytest
from django.urls import reverse

from portal.directory.models import MirroredUser
from portal.directory.users import USERS
from portal.mirror.refresh import refresh
from portal.ui.models import ListColumns, SavedView
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def mirrored(connection):
    refresh(USERS.request(connection).pk)
    return connection


def people(connection):
    return reverse("people:list", args=[connection.key])


def send(client, connection, route, /, *more, **form):
    address = reverse(f"lists:{route}", args=[connection.key, "people", *more])
    answer = client.post(address, {"next": people(connection), **form})
    assert answer.status_code == 303
    return answer["Location"]


def shown(client, address):
    return client.get(address).content.decode()


def save(client, connection, name="Leavers"):
    return send(
        client,
        connection,
        "view-save",
        name=name,
        query="status=inactive&sort=-email&page=3&view=77",
        columns=["name", "timezone"],
    )


def test_chosen_columns_are_shown_from_then_on_and_name_always(client, mirrored):
    send(client, mirrored, "columns", columns=["email", "timezone", "no_such_column"])
    html = shown(client, people(mirrored))
    assert 'data-label="Time zone"' in html
    assert 'data-label="Name"' in html
    assert 'data-label="Department"' not in html
    send(client, mirrored, "columns", usual="1", columns=["email"])
    html = shown(client, people(mirrored))
    assert 'data-label="Department"' in html
    assert 'data-label="Time zone"' not in html
    assert not ListColumns.objects.exists()


def test_a_view_keeps_filters_order_and_columns_under_a_name(client, mirrored):
    address = save(client, mirrored)
    view = SavedView.objects.get()
    assert (view.name, view.query) == ("Leavers", "status=inactive&sort=-email")
    html = shown(client, address)
    assert 'data-label="Time zone"' in html
    assert 'data-label="Email"' not in html
    assert html.count("data-key=") == MirroredUser.objects.filter(status="inactive").count()
    assert f'href="?status=inactive&amp;sort=-email&amp;view={view.pk}" aria-current="page"' in html
    assert 'data-label="Email"' in shown(client, people(mirrored))


def test_columns_of_an_open_view_are_its_own(client, mirrored):
    save(client, mirrored)
    send(client, mirrored, "columns", view=SavedView.objects.get().pk, columns=["pmi"])
    assert SavedView.objects.get().columns == ["pmi"]
    assert not ListColumns.objects.exists()


def test_a_view_can_be_taken_over_renamed_and_deleted(client, mirrored):
    save(client, mirrored)
    save(client, mirrored)
    pk = SavedView.objects.get().pk
    send(client, mirrored, "view-rename", pk, name="  Gone   for good ")
    assert SavedView.objects.get().name == "Gone for good"
    save(client, mirrored)
    assert send(client, mirrored, "view-rename", pk, name="Leavers").endswith(f"view={pk}")
    assert SavedView.objects.get(pk=pk).name == "Gone for good"
    assert send(client, mirrored, "view-delete", pk) == people(mirrored)
    assert not SavedView.objects.filter(pk=pk).exists()


def test_a_view_without_a_name_is_not_kept(client, mirrored):
    save(client, mirrored, " \0 ")
    assert not SavedView.objects.exists()


def test_views_are_their_owners_alone(client, mirrored, operator, connect):
    save(client, mirrored)
    pk = SavedView.objects.get().pk
    other, own = admin_client_for(operator), connect(operator)
    address = reverse("lists:view-delete", args=[mirrored.key, "people", pk])
    assert other.post(address).status_code == 404
    assert other.post(address.replace(mirrored.key, own.key)).status_code == 404
    assert SavedView.objects.exists()
