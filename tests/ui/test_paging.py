"""Pages of a table over a query hold what a slice of it holds, near and far."""

import pytest

from portal.access.models import Connection
from portal.directory.models import MirroredUser
from portal.ui import paging
from portal.ui.paging import RowsOnce
from portal.ui.tables import Table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("near", [0, 1000], ids=["far", "near"])
def test_every_page_holds_its_slice(
    connection: Connection, near: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "_NEAR", near)
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


def test_a_known_count_is_not_counted_again(connection: Connection) -> None:
    pages = RowsOnce(Table(MirroredUser.objects.order_by("pk")), 10, count=25)
    assert (pages.count, pages.num_pages) == (25, 3)
