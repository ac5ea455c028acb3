"""Measured values as the service writes them, read as numbers or as gaps."""

import math

import pytest
from hypothesis import given, strategies as st

from portal.dashboards.services.measurements import Quantity, read


@pytest.mark.parametrize(
    ("quantity", "text", "value"),
    [
        (Quantity.BITRATE, "1,234 kbps", 1_234_000),
        (Quantity.BITRATE, "1234kbps", 1_234_000),
        (Quantity.BITRATE, "1.2 Mbps", 1_200_000),
        (Quantity.BITRATE, "1,2 Mbit/s", 1_200_000),
        (Quantity.BITRATE, "1.234,5 kbps", 1_234_500),
        (Quantity.BITRATE, "1,234.5 kb/s", 1_234_500),
        (Quantity.BITRATE, "1\N{NARROW NO-BREAK SPACE}234 kbps", 1_234_000),
        (Quantity.BITRATE, "48", 48_000),
        (Quantity.BITRATE, "900 bps", 900),
        (Quantity.TIME, "23 ms", 23),
        (Quantity.TIME, "  23MS ", 23),
        (Quantity.TIME, "1.5 s", 1500),
        (Quantity.TIME, "0", 0),
        (Quantity.SHARE, "0.5 %", 0.5),
        (Quantity.SHARE, "0,5%", 0.5),
        (Quantity.SHARE, "<0.1%", 0.1),
        (Quantity.SHARE, "100 percent", 100),
        (Quantity.RATE, "30 fps", 30),
        (Quantity.RATE, "29.97", 29.97),
        (Quantity.SIZE, "1280*720", 720),
        (Quantity.SIZE, "720 x 1280", 720),
        (Quantity.SIZE, "1920\N{MULTIPLICATION SIGN}1080 px", 1080),
    ],
)
def test_values_are_read_with_and_without_units(quantity, text, value):
    assert read(quantity, text) == pytest.approx(value)


@pytest.mark.parametrize("quantity", Quantity)
@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "-", "--", "n/a", "N/A", "unknown", "-5 ms", "-5", "5 parsecs", "1 2 ms 3"),
        *("ms", "%", "NaN", "inf", "1e309", "1..2", "1,2,3", "12,34,567", "0x10", "*", "0*0"),
        *("1280*", None, 7),
    ],
)
def test_what_cannot_be_read_is_a_gap(quantity, text):
    assert read(quantity, text) is None


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        (Quantity.SHARE, "100.1 %"),
        (Quantity.TIME, "99999999 ms"),
        (Quantity.BITRATE, "9999999 Gbps"),
        (Quantity.RATE, "5000 fps"),
        (Quantity.SIZE, "99999*99999"),
    ],
)
def test_what_cannot_be_is_a_gap(quantity, text):
    assert read(quantity, text) is None


@given(st.sampled_from(Quantity), st.text(max_size=60))
def test_any_text_is_a_value_within_reason_or_a_gap(quantity, text):
    value = read(quantity, text)
    assert value is None or (math.isfinite(value) and 0 <= value <= quantity.value.most)


@given(st.floats(0, 99), st.sampled_from(["%", " %", "", "percent"]))
def test_a_share_is_read_as_it_was_written(value, unit):
    written = f"{value:.2f}"
    assert read(Quantity.SHARE, f"{written}{unit}") == pytest.approx(float(written))


@given(st.integers(0, 99_999_999))
def test_groups_of_thousands_change_nothing(kilobits):
    grouped = read(Quantity.BITRATE, f"{kilobits:,} kbps")
    assert grouped == read(Quantity.BITRATE, f"{kilobits} kbps") == kilobits * 1000


@given(st.sampled_from(Quantity), st.integers(max_value=-1))
def test_nothing_negative_is_a_value(quantity, value):
    assert read(quantity, str(value)) is None
