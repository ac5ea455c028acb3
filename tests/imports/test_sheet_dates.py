"""Dates and times in cells, as the spreadsheet programs of many countries write them."""

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from babel import Locale
from babel.dates import format_datetime
from hypothesis import given, settings, strategies as st

from portal.imports.sheets.dates import AmbiguousDate, DayOrder, NoDate, day_order, read_moment

AT = datetime(2026, 11, 24, 9, 5)
AFTERNOON = datetime(2026, 3, 4, 21, 30)

NINE_FIVE = [
    "2026-11-24T09:05",
    "2026-11-24 9:05",
    "2026-11-24 9:05:00",
    "2026-11-24 09:05:00.000",
    "2026-11-24 9:05 a.m.",  # Canada
    "2026-11-24 9 h 05",
    "2026/11/24 9:05",  # Japan, South Africa
    "2026年11月24日 9時05分",
    "2026年11月24日 上午9:05",
    "2026-11-24 오전 9:05",  # Korea
    "2026. 11. 24. 9:05",  # Hungary
    "2026.11.24 9:05",
    "24.11.2026 9:05",  # Germany, Czechia, Russia, Turkey
    "24.11.2026, 9:05 Uhr",
    "24.11.2026 um 9:05",
    "24. 11. 2026 9:05",
    "24.11.2026 9.05",  # Finland
    "24.11.2026 kl. 09.05",
    "24.11.2026 \N{CYRILLIC SMALL LETTER GHE}. 9:05",
    "24-11-2026 9:05",  # Netherlands, Denmark, India
    "24/11/2026 09:05",  # France, Spain, Italy, United Kingdom
    "24/11/2026 09:05:00 a. m.",
    "11/24/2026 9:05 AM",  # United States
    "11/24/2026 9:05:00\N{NARROW NO-BREAK SPACE}AM",
    "Nov 24, 2026 9:05 AM",
    "November 24, 2026 at 9:05 AM",
    "24 Nov 2026 9:05",
    "24-Nov-2026 9:05",
    "24. November 2026 9:05",
    "24 novembre 2026 09:05",
    "24 de noviembre de 2026 9:05",
    "mar. 24 nov. 2026 à 09:05",  # with a weekday, as long dates have it
    "den 24 november 2026 kl. 9.05",
    "2026年11月24日(火) 9時05分00秒",
    "\N{LEFT-TO-RIGHT MARK}24.11.2026\N{NO-BREAK SPACE}9:05",
]


@pytest.mark.parametrize("text", NINE_FIVE)
def test_time_of_any_country_with_one_meaning_is_read(text):
    assert read_moment(text) == (AT, True)


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-04 9:30 PM",
        "2026-03-04T21:30",
        "2026-03-04 21:30",
        "2026/3/4 午後9:30",
        "4.3.2026 21.30",
        "4. März 2026 21:30",
        "March 4, 2026 9:30pm",
        "2026-03-04 9:30 p. m.",
    ],
)
def test_time_in_the_afternoon_is_read_with_its_half_day(text):
    assert read_moment(text) == (AFTERNOON, True)


def test_hour_without_minutes_is_read_if_it_is_called_an_hour():
    for text in ("24.11.2026 9 Uhr", "24.11.2026 9h", "2026-11-24 9 am"):
        assert read_moment(text) == (AT.replace(minute=0), True)


def test_zone_beside_a_time_makes_it_aware():
    assert read_moment("2026-11-24T9:05Z") == (AT.replace(tzinfo=UTC), True)
    assert read_moment("24.11.2026 9:05 GMT") == (AT.replace(tzinfo=UTC), True)
    west = timezone(-timedelta(hours=5))
    assert read_moment("2026-11-24 9:05 -05:00") == (AT.replace(tzinfo=west), True)


def test_day_alone_is_read_without_a_time():
    for text in ("2026-11-24", "24.11.2026", "24/11/2026", "24 Nov 2026", "2026年11月24日"):
        assert read_moment(text) == (datetime(2026, 11, 24), False)


def test_date_with_two_meanings_needs_its_column_to_tell():
    with pytest.raises(AmbiguousDate, match="two days"):
        read_moment("3/1/2027 9:00")
    assert read_moment("3/3/2027")[0] == datetime(2027, 3, 3)
    of_march, of_january = datetime(2027, 3, 1, 9), datetime(2027, 1, 3, 9)
    assert read_moment("3/1/2027 9:00", DayOrder.MONTH_FIRST) == (of_march, True)
    assert read_moment("3/1/2027 9:00", DayOrder.DAY_FIRST) == (of_january, True)


def test_column_tells_its_order_by_a_day_over_twelve_only():
    assert day_order(["3/1/2027", "3/25/2027 9:00", "", "x"]) is DayOrder.MONTH_FIRST
    assert day_order(["03-01-2027", "25-01-2027"]) is DayOrder.DAY_FIRST
    assert day_order(["3/1/2027", "1.3.2027"]) is None
    assert day_order(["13/1/2027", "1/13/2027"]) is None


@pytest.mark.parametrize(
    "text",
    [
        *("", "tomorrow", "09:00", "2026-02-30", "31.4.2026", "45231", "24.11.26 9:05"),
        *("2026-11-24 25:00", "2026-11-24 9:5", "2026-11-24 9", "2026-11-24 13:00 PM"),
        *("2026-11-24 午前9:05 PM", "24 Foo 2026", "2026-11-24 09:05 Berlin", "13/13/2026"),
    ],
)
def test_text_that_is_no_date_or_time_is_refused(text):
    with pytest.raises(NoDate):
        read_moment(text)


LOCALES = re.findall(
    r"\w+",
    "en_US en_GB en_CA en_AU en_IN de_DE de_AT de_CH fr_FR fr_CA es_ES es_MX it_IT pt_BR pt_PT "
    "nl_NL nl_BE sv_SE da_DK nb_NO fi_FI pl_PL cs_CZ sk_SK sl_SI hu_HU ro_RO bg_BG el_GR ru_RU "
    "uk_UA tr_TR et_EE lt_LT id_ID ja_JP zh_CN zh_TW ko_KR",
)


_DATES = ("short", "medium", "long", "full", "yMd", "yMEd", "yMMMd", "yMMMEd")
_TIMES = ("short", "medium", "Hm", "Hms", "hm")


def pattern_in(locale, name, patterns):
    of_skeletons = locale.datetime_skeletons
    return str((patterns.get(name) or of_skeletons.get(name) or patterns["short"]).pattern)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(LOCALES).map(Locale.parse),
    st.sampled_from(_DATES),
    st.sampled_from(_TIMES),
    st.sampled_from(["{1} {0}", "medium", "long", "full"]),
    st.datetimes(datetime(2001, 1, 1), datetime(2099, 12, 31)),
)
def test_date_as_any_country_formats_it_is_read(locale, of_date, of_time, together, moment):
    date = re.sub("y+", "yyyy", pattern_in(locale, of_date, locale.date_formats))
    glue = str(locale.datetime_formats.get(together, together))
    pattern = glue.replace("{0}", pattern_in(locale, of_time, locale.time_formats))
    moment = moment.replace(second=0, microsecond=0)
    text, over_twelve = (
        format_datetime(each, pattern.replace("{1}", date), locale=locale)
        for each in (moment, moment.replace(day=25))
    )
    try:
        alone = read_moment(text)
    except AmbiguousDate:
        assert moment.day <= 12
    else:
        assert alone == (moment, True)
    assert read_moment(text, day_order([text, over_twelve])) == (moment, True)


def test_day_of_the_week_that_belongs_to_another_date_is_refused():
    assert read_moment("Tuesday, 24 November 2026") == (datetime(2026, 11, 24), False)
    for text in ("Monday, 24 November 2026", "2026年11月24日(月)"):
        with pytest.raises(NoDate):
            read_moment(text)
