"""Reports on meetings and webinars that have ended."""

import httpx
import pytest

from portal.contract.usage import (
    AnswersReport,
    AttendancePage,
    EndedSessionPage,
    SessionReport,
)
from tests.sandbox.conftest import Json, everybody, refused
from tests.support.sandbox_state import HALF_A_YEAR, in_path, pages, read, sessions

EITHER = pytest.mark.parametrize("kind", ["meetings", "webinars"])


def past(api, kind, **asked):
    return sessions(api, kind, "past", **asked)


def path_of(kind, session):
    return f"/report/{kind}/{in_path(session['uuid'])}"


@EITHER
def test_a_session_is_reported_as_the_dashboard_reports_it(api, kind):
    for each in past(api, kind, page_size=20):
        report = read(api, path_of(kind, each))
        SessionReport.model_validate(report)
        assert report["participants_count"] == each["participants"]
        same = ("uuid", "id", "topic", "start_time", "end_time")
        assert {name: report[name] for name in same} == {name: each[name] for name in same}
        assert (report["user_name"], report["user_email"]) == (each["host"], each["email"])


def test_tracking_fields_are_reported_where_they_were_filled_in(api):
    reports = [read(api, path_of("meetings", each)) for each in past(api, "meetings")]
    filled = [each["tracking_fields"] for each in reports if each["tracking_fields"]]
    assert 0 < len(filled) < len(reports) / 2
    assert all(set(field) == {"field", "value"} for fields in filled for field in fields)


@EITHER
def test_attendance_is_listed_page_by_page(api, kind):
    session = max(past(api, kind), key=lambda each: each["participants"])
    path = f"{path_of(kind, session)}/participants"
    whole = read(api, path, page_size=300)
    AttendancePage.model_validate(whole)

    parts = list(pages(api, path, page_size=2))

    assert [each for part in parts for each in part["participants"]] == whole["participants"]
    assert len(whole["participants"]) == session["participants"]
    minutes = sum(each["duration"] for each in whole["participants"]) / 60
    assert minutes <= read(api, path_of(kind, session))["total_minutes"] < minutes + 1


def test_attentiveness_is_number_in_meetings_text_in_webinars(api):
    for kind, shape in (("meetings", int), ("webinars", str)):
        path = f"{path_of(kind, past(api, kind)[0])}/participants"
        for each in read(api, path)["participants"]:
            assert type(each["attentiveness_score"]) is shape


@EITHER
def test_polls_are_those_of_session_answered_by_its_participants(api, kind):
    polled = 0
    for session in past(api, kind):
        report = read(api, f"{path_of(kind, session)}/polls")
        AnswersReport.model_validate(report)
        assert (report["uuid"], report["id"]) == (session["uuid"], session["id"])
        assert read(api, f"{path_of(kind, session)}/polls") == report
        if not report["questions"]:
            continue
        polled += 1
        choices = choices_of(api, f"/{kind}/{session['id']}/polls")
        attended = read(api, f"{path_of(kind, session)}/participants", page_size=300)
        guests = {(each["name"], each["user_email"]) for each in attended["participants"]}
        for each in report["questions"]:
            assert (each["name"], each["email"]) in guests
            assert each["email"] != session["email"]
            assert [one["question"] for one in each["question_details"]] == list(choices)
            for one in each["question_details"]:
                assert set(one["answer"].split(";")) <= choices[one["question"]]
    assert polled


def choices_of(api, path):
    """Returns the possible answers, by the questions of all polls in their order."""
    polls = read(api, path)["polls"]
    return {one["name"]: set(one["answers"]) for each in polls for one in each["questions"]}


def test_questions_were_asked_by_participants_of_webinars(api):
    answers = []
    for session in past(api, "webinars"):
        report = read(api, f"{path_of('webinars', session)}/qa")
        AnswersReport.model_validate(report)
        answers += [
            one["answer"] for each in report["questions"] for one in each["question_details"]
        ]
    assert any(answers)
    assert "" in answers


@EITHER
@pytest.mark.parametrize("part", ["", "/participants", "/polls", "/qa"])
def test_a_session_that_runs_or_does_not_exist_has_no_report(api, kind, part):
    live = sessions(api, kind, "live")[0]
    for name in (in_path(live["uuid"]), "1", "nothing"):
        answer = api.get(f"/report/{kind}/{name}{part}")
        assert "no such" in refused(answer, 404)


class TestOfAPerson:
    def test_report_what_they_hosted_the_latest_first(self, api: httpx.Client):
        hosted = 0
        for person in everybody(api):
            path = f"/report/users/{person['id']}/meetings"
            whole = read(api, path, **HALF_A_YEAR, page_size=300)
            EndedSessionPage.model_validate(whole)
            assert {each["user_email"] for each in whole["meetings"]} <= {person["email"]}
            starts = [each["start_time"] for each in whole["meetings"]]
            assert starts == sorted(starts, reverse=True)
            hosted += whole["total_records"]
        totals = [
            read(api, f"/metrics/{kind}", **HALF_A_YEAR, type="past")["total_records"]
            for kind in ("meetings", "webinars")
        ]
        assert hosted == sum(totals)

    def test_come_page_by_page_by_id_or_email(self, api: httpx.Client):
        host = past(api, "meetings")[0]["email"]
        path = f"/report/users/{host}/meetings"
        whole = read(api, path, **HALF_A_YEAR, page_size=300)["meetings"]
        parts = list(pages(api, path, **HALF_A_YEAR, page_size=2))
        assert [each for part in parts for each in part["meetings"]] == whole

    def test_who_does_not_exist_are_not_found(self, api: httpx.Client):
        refused(api.get("/report/users/nobody/meetings", params=HALF_A_YEAR), 404)

    def test_of_a_new_person_are_none(self, api: httpx.Client, person: Json):
        path = f"/report/users/{person['id']}/meetings"
        assert read(api, path, **HALF_A_YEAR)["meetings"] == []
