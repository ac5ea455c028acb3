"""Charts without a drawing: their sentence, their table, and the data of the script."""

import json
import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.template.loader import render_to_string
from django.utils import timezone
from hypothesis import given, strategies as st

from portal.ui.charts import Chart, Series, falling, level_of, rising

START = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)


def minutes(count, *, every=1):
    return [START + timedelta(minutes=each * every) for each in range(count)]


def latency(*values, **options):
    one = Series("Received", values)
    moments = options.pop("moments", minutes(len(values)))
    return Chart("latency", "Latency", moments, [one], "ms", rising(150, 400), **options)


def drawn_from(html):
    found = re.search(r'<script type="application/json">(.+?)</script>', html, re.DOTALL)
    assert found
    data: dict[str, object] = json.loads(found[1])
    return data


def test_a_sentence_says_what_the_chart_shows():
    said = latency(20, None, 410, 160, 30.5).description
    assert said == (
        "29 Mar, 00:30 to 29 Mar, 00:34 (UTC). "
        "Received: 20 ms to 410 ms, last 30.5 ms, fair 1 of 4, poor 1 of 4."
    )


def test_one_value_and_none_are_said_as_such():
    assert latency(20).description == "29 Mar, 00:30 (UTC). Received: 20 ms."
    assert latency(None, None).description == "There are no values."
    assert latency().description == "There are no values."


def test_a_value_that_is_missing_is_a_gap_and_never_a_zero():
    chart = latency(20, None, float("nan"), float("inf"), 0)
    assert chart.data["series"][0]["values"] == [20, None, None, None, 0]
    assert [row.cells[0].text for row in chart.rows] == ["20 ms", *["\N{EN DASH}"] * 3, "0 ms"]


def test_table_shows_each_value_as_written_and_its_quality():
    one = Series("Received", [20.0, 500.0, None], ["20 ms", "500ms", "n/a"])
    chart = Chart("latency", "Latency", minutes(3), [one], "ms", rising(150, 400))
    cells = [row.cells[0] for row in chart.rows]
    assert [(cell.text, cell.word) for cell in cells] == [
        ("20 ms", "Good"),
        ("500ms", "Poor"),
        ("n/a", ""),
    ]


def test_times_are_viewers_and_name_zone_where_its_clocks_change():
    with timezone.override(ZoneInfo("Europe/Berlin")):
        chart = latency(1, 2, 3, 4, moments=minutes(4, every=30))
        assert [row.text for row in chart.rows] == [
            "29 Mar, 01:30 CET",
            "29 Mar, 03:00 CEST",
            "29 Mar, 03:30 CEST",
            "29 Mar, 04:00 CEST",
        ]
        assert chart.data["zone"] == "Europe/Berlin"
        assert chart.data["named"]
        assert latency(1, 2).rows[0].text == "29 Mar, 01:30"


@pytest.mark.parametrize("viewer", ["America/New_York", "Europe/Berlin", "Pacific/Auckland"])
@pytest.mark.parametrize(
    ("zone", "said"), [(UTC, "GMT"), (ZoneInfo("Asia/Tokyo"), "Asia/Tokyo")], ids=["gmt", "tokyo"]
)
@pytest.mark.parametrize("hour", [0, 12, 23])
def test_days_are_those_of_their_own_zone_whoever_looks(viewer, zone, said, hour):
    days = [datetime(2026, 3, day, hour, tzinfo=zone) for day in (28, 29, 30)]
    with timezone.override(ZoneInfo(viewer)):
        chart = latency(1, 2, 3, moments=days, by="day")
        assert [row.text for row in chart.rows] == ["Sat 28 Mar", "Sun 29 Mar", "Mon 30 Mar"]
        assert chart.description.startswith(f"Sat 28 Mar to Mon 30 Mar ({said}).")
        midnights = [datetime(2026, 3, day, tzinfo=UTC).timestamp() for day in (28, 29, 30)]
        assert (chart.data["zone"], chart.data["moments"]) == ("UTC", midnights)
        assert (chart.data["from"], chart.data["to"]) == (midnights[0], midnights[-1])


def test_a_stretch_that_nobody_measured_breaks_the_line():
    moments = [*minutes(2), START + timedelta(minutes=30)]
    data = latency(1, 2, 3, moments=moments, every=timedelta(minutes=1)).data
    assert data["series"][0]["values"] == [1, 2, None, 3]
    assert data["moments"] == sorted(data["moments"])


def test_a_moment_leads_where_the_chart_says():
    assert [row.url for row in latency(1, 2, follow="?at={at}").rows] == [
        "?at=2026-03-29T00:30:00Z",
        "?at=2026-03-29T00:31:00Z",
    ]


@pytest.mark.parametrize(
    ("value", "level"),
    [(0, "good"), (149.9, "good"), (150, "fair"), (400, "poor"), (1e9, "poor"), (None, None)],
)
def test_what_is_worse_the_higher_it_is_has_its_bands(value, level):
    assert level_of(rising(150, 400), value) == level


@pytest.mark.parametrize(
    ("value", "level"), [(30, "good"), (15, "good"), (14, "fair"), (7, "poor")]
)
def test_what_is_worse_the_lower_it_is_has_its_bands(value, level):
    assert level_of(falling(15, 8), value) == level


def test_page_has_sentence_figures_and_names_what_draws_them():
    html = render_to_string("ui/chart.html", {"chart": latency(20, 500)})
    assert "Received: 20 ms to 500 ms" in html
    assert "<td>500 ms" in html
    assert "Poor" in html
    assert "build/charts" in html
    assert drawn_from(html)["unit"] == "ms"


def test_a_chart_without_values_loads_nothing():
    html = render_to_string("ui/chart.html", {"chart": latency(None)})
    assert "There are no values." in html
    assert "data-chart" not in html.replace("data-chart-moment", "")


def test_names_from_a_service_stay_text():
    hostile = '</script><img src=x onerror="alert(1)">'
    chart = Chart("one", hostile, minutes(1), [Series(hostile, [1.0], [hostile])])
    html = render_to_string("ui/chart.html", {"chart": chart})
    assert "<img" not in html
    assert html.count("</script>") == 1
    assert drawn_from(html)["series"] == [{"label": hostile, "values": [1.0], "shape": "line"}]


@given(st.lists(st.none() | st.floats(), max_size=50))
def test_any_values_make_a_chart(values):
    chart = latency(*values, every=timedelta(seconds=10))
    json.dumps(chart.data, allow_nan=False)
    assert len(chart.rows) == len(values)
    assert chart.description
