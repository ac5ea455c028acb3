"""Reports on the account: days, storage, calls and hosts."""

from datetime import datetime, timedelta

import httpx
import pytest

from portal.contract.usage import DailyReport, HostsPage, StorageReport, TelephonePage
from tests.sandbox.conftest import Json, MakePerson, everybody, refused
from tests.support.clock import today
from tests.support.sandbox_state import HALF_A_YEAR, days, read


def last_weeks():
    return days(today() - timedelta(days=30), today())


def numbered(api, path, name, **asked):
    """All records, page by page."""
    found: list[Json] = []
    while True:
        number = len(found) // asked["page_size"] + 1
        page = read(api, path, **asked, page_number=number)
        found.extend(page[name])
        assert page["page_count"] == len(page[name])
        if len(found) >= page["total_records"]:
            return found
        assert page[name]


class TestStorage:
    def test_is_reported_day_by_day(self, api: httpx.Client):
        report = read(api, "/report/cloud_recording", **last_weeks())
        StorageReport.model_validate(report)
        used = report["cloud_recording_storage"]
        assert [each["date"][:10] for each in used] == [
            str(today() - timedelta(days=ago)) for ago in range(30, -1, -1)
        ]
        sizes = [float(each["usage"].removesuffix(" GB")) for each in used]
        assert sizes == sorted(sizes)
        assert sizes[0] < sizes[-1]

    def test_of_days_to_come_is_not_reported(self, api: httpx.Client):
        asked = days(today(), today() + timedelta(days=3))
        used = read(api, "/report/cloud_recording", **asked)["cloud_recording_storage"]
        assert [each["date"][:10] for each in used] == [str(today())]

    @pytest.mark.parametrize("ago", [190, 9000, -1])
    def test_outside_of_the_recent_six_months_is_answered_with_300(
        self, api: httpx.Client, ago: int
    ):
        first = today() - timedelta(days=ago)
        asked = days(first, first + timedelta(days=5))
        answer = api.get("/report/cloud_recording", params=asked)
        assert "6 months" in refused(answer, 300)

    def test_within_the_recent_six_months_is_reported(self, api: httpx.Client):
        first = today() - timedelta(days=178)
        report = read(api, "/report/cloud_recording", **days(first, first + timedelta(days=30)))
        assert len(report["cloud_recording_storage"]) == 31

    @pytest.mark.parametrize("ago", [31, 9000])
    def test_of_more_than_thirty_days_is_refused(self, api: httpx.Client, ago: int):
        first = today() - timedelta(days=ago)
        asked = days(first, first + timedelta(days=31))
        refused(api.get("/report/cloud_recording", params=asked), 400, "to")


class TestDays:
    def test_are_those_of_the_present_month_unless_said(self, api: httpx.Client):
        report = read(api, "/report/daily")
        DailyReport.model_validate(report)
        assert (report["year"], report["month"]) == (today().year, today().month)
        assert [each["date"] for each in report["dates"]] == [
            str(today().replace(day=day)) for day in range(1, today().day + 1)
        ]

    def test_count_what_was_held_on_them(self, api: httpx.Client):
        last = today().replace(day=1) - timedelta(days=1)
        report = read(api, "/report/daily", year=last.year, month=last.month)
        assert len(report["dates"]) == last.day
        month = days(last.replace(day=1), last)
        totals = [
            read(api, f"/metrics/{kind}", **month, type="past")["total_records"]
            for kind in ("meetings", "webinars")
        ]
        assert sum(each["meetings"] for each in report["dates"]) == sum(totals) > 0
        hosts = read(api, "/report/users", **month)
        for total, field in (
            ("total_meetings", "meetings"),
            ("total_participants", "participants"),
            ("total_meeting_minutes", "meeting_minutes"),
        ):
            assert hosts[total] == sum(each[field] for each in report["dates"])

    def test_count_those_who_came(self, api: httpx.Client, make_person: MakePerson):
        def came() -> int:
            return read(api, "/report/daily")["dates"][-1]["new_users"]

        before = came()
        make_person()
        assert came() == before + 1

    @pytest.mark.parametrize("months", range(7))
    def test_of_the_recent_six_months_are_reported(self, api: httpx.Client, months: int):
        year, month = divmod(today().year * 12 + today().month - 1 - months, 12)
        report = read(api, "/report/daily", year=year, month=month + 1)
        assert len(report["dates"]) >= (28 if months else today().day)

    def test_of_other_months_are_refused(self, api: httpx.Client):
        for months in (-1, 8, 500):
            year, month = divmod(today().year * 12 + today().month - 1 - months, 12)
            asked = {"year": year, "month": month + 1}
            refused(api.get("/report/daily", params=asked), 400, "month", "year")

    def test_need_a_month_that_there_is(self, api: httpx.Client):
        refused(api.get("/report/daily", params={"month": 13}), 400, "month")


class TestCalls:
    def test_are_listed_page_by_page_the_latest_first(self, api: httpx.Client):
        whole = read(api, "/report/telephone", **HALF_A_YEAR, page_size=300)
        TelephonePage.model_validate(whole)
        parts = numbered(api, "/report/telephone", "telephony_usage", **HALF_A_YEAR, page_size=40)
        assert parts[:300] == whole["telephony_usage"]
        starts = [each["start_time"] for each in parts]
        assert starts == sorted(starts, reverse=True)
        assert len(parts) > 20

    def test_report_how_long_they_took_and_what_they_cost(self, api: httpx.Client):
        for each in read(api, "/report/telephone", **HALF_A_YEAR)["telephony_usage"]:
            begin, end = (datetime.fromisoformat(each[at]) for at in ("start_time", "end_time"))
            assert each["duration"] * 60 == (end - begin).total_seconds() > 0
            assert each["total"] > 0
            assert each["country_name"]

    def test_went_into_meetings_that_people_joined_by_telephone(self, api: httpx.Client):
        for each in read(api, "/report/telephone", **HALF_A_YEAR, page_size=20)["telephony_usage"]:
            kind = f"{each['meeting_type'].lower()}s"
            day = datetime.fromisoformat(each["start_time"]).date()
            # Somebody may call after midnight in a meeting of the evening before.
            asked = {**days(day - timedelta(days=1), day), "type": "past", "page_size": 300}
            held = read(api, f"/metrics/{kind}", **asked)[kind]
            [first, *_] = [one for one in held if one["id"] == each["meeting_id"]]
            assert first["has_pstn"]

    def test_are_bounded_by_their_days(self, api: httpx.Client):
        asked = days(today() - timedelta(days=40), today() - timedelta(days=20))
        for each in read(api, "/report/telephone", **asked)["telephony_usage"]:
            assert asked["from"] <= each["start_time"][:10] <= asked["to"]

    def test_of_other_types_are_not_known(self, api: httpx.Client):
        refused(api.get("/report/telephone", params={**HALF_A_YEAR, "type": "2"}), 400, "type")


class TestHosts:
    def test_are_those_who_hosted_something(self, api: httpx.Client):
        page = read(api, "/report/users", **last_weeks(), page_size=300)
        HostsPage.model_validate(page)
        for each in page["users"]:
            path = f"/report/users/{each['id']}/meetings"
            hosted = read(api, path, **last_weeks(), page_size=300)["meetings"]
            assert each["meetings"] == len(hosted) > 0
            assert each["meeting_minutes"] == sum(one["total_minutes"] for one in hosted)
            assert each["participants"] == sum(one["participants_count"] for one in hosted)
        assert page["total_meetings"] == sum(each["meetings"] for each in page["users"])

    def test_and_all_other_active_people_make_up_the_account(self, api: httpx.Client, person: Json):
        def listed(which: str) -> set[str]:
            asked = {**last_weeks(), "type": which, "page_size": 7}
            return {each["id"] for each in numbered(api, "/report/users", "users", **asked)}

        active, inactive = listed("active"), listed("inactive")
        assert person["id"] in inactive
        assert not active & inactive
        assert {each["id"] for each in everybody(api)} <= active | inactive

    def test_who_hosted_nothing_have_hosted_nothing(self, api: httpx.Client):
        page = read(api, "/report/users", **last_weeks(), type="inactive")
        assert {each["meetings"] for each in page["users"]} == {0}
        assert (page["total_meetings"], page["total_meeting_minutes"]) == (0, 0)


@pytest.mark.parametrize("name", ["cloud_recording", "telephone", "users"])
@pytest.mark.parametrize("missing", ["from", "to"])
def test_the_days_are_required(api, name, missing):
    asked = {each: day for each, day in last_weeks().items() if each != missing}
    refused(api.get(f"/report/{name}", params=asked), 400, missing)
