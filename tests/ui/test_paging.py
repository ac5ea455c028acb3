"""Pages of a table over a query hold what a slice of it holds, near and far."""

import pytest
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat

from portal.directory.models import MirroredUser
from portal.ui import listing
from portal.ui.listing import RowsOnce
from portal.ui.tables import Table

_AGAIN = Concat(Value("again "), Cast("pk", CharField()))
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("near", [0, 1000], ids=["far", "near"])
def test_every_page_holds_its_slice(connection, near, monkeypatch):
    monkeypatch.setattr(listing, "_NEAR", near)
    MirroredUser.objects.bulk_create(
        MirroredUser(connection=connection, user_id=f"u{at}", sort_name=f"name {at % 7}")
        for at in range(53)
    )
    query = MirroredUser.objects.order_by("sort_name", "pk")
    pages = RowsOnce(Table(query), 10)
    assert pages.num_pages == 6
    for page in pages:
        start = (page.number - 1) * 10
        assert [row.record for row in page.object_list] == list(query[start : start + 10])


def test_a_known_count_is_not_counted_again(connection):
    pages = RowsOnce(Table(MirroredUser.objects.order_by("pk")), 10, count=25)
    assert (pages.count, pages.num_pages) == (25, 3)


@pytest.mark.parametrize(("rows", "counted"), [(0, 0), (10, 0), (11, 1)])
def test_rows_that_fit_on_the_first_page_are_counted_there(
    connection, rows, counted, django_assert_num_queries
):
    MirroredUser.objects.bulk_create(
        MirroredUser(connection=connection, user_id=f"u{at}", sort_name=f"name {at:02}")
        for at in range(rows)
    )
    query = MirroredUser.objects.order_by("sort_name")
    pages = RowsOnce(Table(query), 10, is_first=True)
    with django_assert_num_queries(1 + counted):
        assert pages.count == rows
        found = pages.get_page("1").object_list
    assert [row.record.user_id for row in found] == [f"u{at}" for at in range(min(rows, 10))]


@pytest.mark.parametrize("number", [1, 2, 6])
def test_what_a_query_adds_to_its_rows_is_on_every_page(connection, number):
    MirroredUser.objects.bulk_create(
        MirroredUser(connection=connection, user_id=f"u{at}", sort_name=f"name {at % 7}")
        for at in range(53)
    )
    query = MirroredUser.objects.order_by("sort_name", "pk").annotate(again=_AGAIN)
    pages = RowsOnce(Table(query), 10, is_first=number == 1)
    shown = [row.record for row in pages.get_page(number).object_list]
    assert shown == list(query[(number - 1) * 10 : number * 10])
    assert all(row.again == f"again {row.pk}" for row in shown)
