"""Cloud recordings of a person, which come in pages with a token."""

from datetime import UTC, date, datetime, timedelta

import httpx
import pytest
import time_machine

from portal.contract.recordings import RecordingPage, RecordingsQuery
from portal.sandbox.paging import issue_token, read_token
from tests.sandbox.conftest import Json, everybody, refused
from tests.support.sandbox import Sandbox

TODAY = datetime.now(UTC).date()
HALF_A_YEAR = {"from": str(TODAY - timedelta(days=200)), "to": str(TODAY)}


def page(api, person, **asked):
    answer = api.get(f"/users/{person['id']}/recordings", params={**HALF_A_YEAR, **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()


def pages(api, person, **asked):
    token = ""
    while True:
        found = page(api, person, next_page_token=token, **asked)
        yield found
        token = found["next_page_token"]
        if not token:
            return


@pytest.fixture(scope="module")
def busy(sandbox):
    """Somebody with more recordings than fit on a page."""
    return max(
        everybody(sandbox.client), key=lambda each: page(sandbox.client, each)["total_records"]
    )


def test_keep_to_the_contract(api):
    for person in everybody(api):
        answer = api.get(f"/users/{person['id']}/recordings", params=HALF_A_YEAR)
        data = RecordingPage.read(answer.content)
        assert data.from_ == date.fromisoformat(HALF_A_YEAR["from"])
        assert all(each.host_id == person["id"] for each in data.meetings)


def test_report_their_files_and_what_they_come_to(api, busy):
    for each in page(api, busy)["meetings"]:
        files = each["recording_files"]
        assert each["recording_count"] == str(len(files))
        assert each["total_size"] == str(sum(file["file_size"] for file in files))
        for file in files:
            assert file["download_url"]
            assert "deleted_time" not in file


def file_ids(recorded):
    return {file["id"] for each in recorded for file in each["recording_files"]}


@pytest.mark.deep
def test_trash_is_reported_only_when_asked_for_with_its_time(api):
    in_trash = 0
    for person in everybody(api):
        kept = page(api, person, page_size=300)["meetings"]
        trashed = page(api, person, page_size=300, trash="true")["meetings"]
        assert not file_ids(kept) & file_ids(trashed)
        for each in trashed:
            assert all(file["deleted_time"] and file["id"] for file in each["recording_files"])
            assert not any("play_url" in file for file in each["recording_files"])
        in_trash += len(trashed)
    assert in_trash


class TestDays:
    @pytest.mark.parametrize("missing", ["from", "to"])
    def test_are_required(self, api: httpx.Client, busy: Json, missing: str):
        asked = {name: day for name, day in HALF_A_YEAR.items() if name != missing}
        refused(api.get(f"/users/{busy['id']}/recordings", params=asked), 400, missing)

    @pytest.mark.parametrize(
        ("begin", "end", "field"),
        [
            ("2026-02-30", "2026-03-01", "from"),
            ("yesterday", "2026-03-01", "from"),
            ("2026-03-01", "", "to"),
            ("2026-03-02", "2026-03-01", "to"),
            ("10000-01-01", "2026-03-01", "from"),
        ],
    )
    def test_that_are_none_or_go_backwards_are_refused(
        self, api: httpx.Client, busy: Json, begin: str, end: str, field: str
    ):
        asked = {"from": begin, "to": end}
        refused(api.get(f"/users/{busy['id']}/recordings", params=asked), 400, field)

    def test_may_be_as_far_apart_as_the_calendar_goes(self, api: httpx.Client, busy: Json):
        asked = {"from": "0001-01-01", "to": "9999-12-31"}
        assert page(api, busy, **asked)["total_records"] >= page(api, busy)["total_records"]

    def test_bound_what_is_reported_the_last_one_included(self, api: httpx.Client, busy: Json):
        [latest, *_] = page(api, busy)["meetings"]
        day = latest["start_time"][:10]

        data = page(api, busy, **{"from": day, "to": day})["meetings"]

        assert latest in data
        assert {each["start_time"][:10] for each in data} == {day}


class TestToken:
    def test_leads_through_all_records_each_once_the_latest_first(
        self, api: httpx.Client, busy: Json
    ):
        whole = page(api, busy, page_size=300)
        assert whole["next_page_token"] == ""

        parts = list(pages(api, busy, page_size=4))

        assert [each for part in parts for each in part["meetings"]] == whole["meetings"]
        assert {part["total_records"] for part in parts} == {whole["total_records"]}
        assert [part["page_count"] for part in parts[:-1]] == [4] * (len(parts) - 1)
        starts = [each["start_time"] for each in whole["meetings"]]
        assert starts == sorted(starts, reverse=True)

    def test_comes_only_where_there_is_more(self, api: httpx.Client, busy: Json):
        total = page(api, busy)["total_records"]
        assert page(api, busy, page_size=total)["next_page_token"] == ""
        assert page(api, busy, page_size=total - 1)["next_page_token"] != ""

    @pytest.mark.parametrize(
        "other",
        [
            {"page_size": 5},
            {"trash": "true"},
            {"mc": "true"},
            {"from": str(TODAY - timedelta(days=199))},
            {"to": str(TODAY + timedelta(days=1))},
        ],
    )
    def test_holds_for_its_own_query_alone(self, api: httpx.Client, busy: Json, other: Json):
        token = page(api, busy, page_size=4)["next_page_token"]
        asked = {**HALF_A_YEAR, "page_size": 4, "next_page_token": token, **other}

        answer = api.get(f"/users/{busy['id']}/recordings", params=asked)

        refused(answer, 400, "next_page_token")

    def test_holds_for_its_own_person_alone(self, api: httpx.Client, busy: Json, person: Json):
        token = page(api, busy, page_size=4)["next_page_token"]
        asked = {**HALF_A_YEAR, "page_size": 4, "next_page_token": token}
        refused(api.get(f"/users/{person['id']}/recordings", params=asked), 400, "next_page_token")

    @pytest.mark.parametrize("token", ["x", "=", "é", "\0", "YTpiOmM=", "A" * 5000])
    def test_that_was_never_given_is_refused(self, api: httpx.Client, busy: Json, token: str):
        asked = {**HALF_A_YEAR, "next_page_token": token}
        refused(api.get(f"/users/{busy['id']}/recordings", params=asked), 400, "next_page_token")

    def test_that_was_changed_is_refused(self, api: httpx.Client, busy: Json):
        token = page(api, busy, page_size=4)["next_page_token"]
        changed = token[:5] + ("A" if token[5] != "A" else "B") + token[6:]
        asked = {**HALF_A_YEAR, "page_size": 4, "next_page_token": changed}
        refused(api.get(f"/users/{busy['id']}/recordings", params=asked), 400, "next_page_token")

    @pytest.mark.parametrize(("minutes", "status"), [(14, 200), (16, 400)])
    def test_holds_for_a_quarter_of_an_hour(
        self, sandbox: Sandbox, busy: Json, minutes: int, status: int
    ):
        query = RecordingsQuery.model_validate({**HALF_A_YEAR, "page_size": 4})
        given = page(sandbox.client, busy, page_size=4)["next_page_token"]
        query.next_page_token = given
        position = read_token(query, busy["id"], sandbox.token)
        assert position
        with time_machine.travel(datetime.now(UTC) - timedelta(minutes=minutes)):
            aged = issue_token(position, query, busy["id"], sandbox.token)

        asked = {**HALF_A_YEAR, "page_size": 4, "next_page_token": aged}
        answer = sandbox.client.get(f"/users/{busy['id']}/recordings", params=asked)

        assert answer.status_code == status
        if status == 400:
            assert "expired" in answer.json()["errors"][0]["message"]
