"""Tables: headings that sort, cells that are cheap, rows that fit a phone."""

import django_tables2 as columns
from django.core.paginator import Paginator
from django.template import engines
from django.test import RequestFactory

from portal.ui.tables import Table

ADA = {"name": "Ada", "size": 3, "note": "An uncommonly long note about this person"}
GRACE = {"name": "Grace", "size": 7, "note": None}


class People(Table):
    caption = "People"

    name = columns.Column(attrs={"td": {"class": "cell-main"}})
    size = columns.Column(attrs={"td": {"class": "cell-number"}})
    note = columns.Column(orderable=False)


def drawn(rows, query="", **options):
    return str(People(rows, **options).as_html(RequestFactory().get(f"/people/?{query}")))


def test_a_heading_sorts_and_keeps_the_filters():
    html = drawn([ADA], "q=a&page=3")
    assert 'href="?q=a&amp;sort=name"' in html


def test_the_sorted_column_says_so_and_turns_round():
    html = drawn([ADA], "sort=name", order_by="name")
    assert 'aria-sort="ascending"' in html
    assert 'href="?sort=-name"' in html
    assert 'aria-sort="descending"' in drawn([ADA], order_by="-name")


def test_the_heading_of_a_figure_sorts_the_largest_first():
    assert 'href="?sort=-size"' in drawn([ADA])
    assert 'href="?sort=size"' in drawn([ADA], "sort=-size", order_by="-size")


def test_a_column_that_cannot_be_sorted_has_no_link():
    assert "sort=note" not in drawn([ADA])


def test_a_cell_names_its_column_for_narrow_screens():
    assert 'data-label="Size"' in drawn([ADA])


def test_a_heading_is_as_wide_and_aligned_as_its_cells():
    assert '<th scope="col" class="cell-number">' in drawn([ADA])


def test_what_may_be_cut_off_is_reported_in_full():
    assert f'title="{ADA["note"]}"' in drawn([ADA])


def test_a_cell_without_a_value_is_marked():
    assert "cell-unset" in drawn([GRACE])
    assert "cell-unset" not in drawn([ADA])


def test_the_table_has_a_name_for_screen_readers():
    assert "People</caption>" in drawn([ADA])


def pager(number, count, query=""):
    template = engines["django"].from_string("{% include 'ui/pager.html' %}")
    request = RequestFactory().get(f"/people/?{query}")
    page = Paginator(range(count), 50).get_page(number)
    return " ".join(template.render({"page": page, "request": request}).split())


def test_the_pager_says_which_part_of_how_many():
    assert "51\N{EN DASH}100 of 3,412" in pager(2, 3412)


def test_the_pager_keeps_filters_and_order():
    assert 'href="?q=a&amp;sort=-name&amp;page=3"' in pager(2, 3412, "q=a&sort=-name&page=2")


def test_many_pages_are_shortened():
    html = pager(30, 3412)
    assert "…" in html
    assert html.count("<li ") < 12


def test_one_page_needs_no_way_to_others():
    html = pager(1, 50)
    assert "1\N{EN DASH}50 of 50" in html
    assert "<a" not in html
