"""Columns of a table of sessions: recognised, corrected by hand, and stored for the plan; and the
months that such a table can name."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from portal.access.roles import Role
from portal.contract.recurrence import WeekDay, WeekOfMonth
from portal.imports.models import StoredTable
from portal.imports.sheets import read, storage
from portal.jobs.models import ItemState, Job
from portal.meetings.spec import MEETINGS
from portal.sessions.imports.session_columns import (
    choices_in,
    columns_for,
    mapping_of,
    recognised,
)
from portal.sessions.imports.session_rows import SessionImportRow
from portal.sessions.imports.session_values import end_in, end_of, minutes_in, week_in
from portal.webinars.spec import WEBINARS
from tests.sessions.importing import begun, carried_out, planned, row_of, send, take_in
from tests.support.html import text_of
from tests.support.portal import admin_client_for, member
from tests.support.workbooks import workbook

pytestmark = pytest.mark.django_db

FOREIGN = "Efni;Gestgjafi;Byrjar;Belti;Kostnaður;Litur;Lykilorð\n"


def test_columns_that_are_not_recognised_are_reported_by_hand(planner, spec, host, work):
    text = f"{FOREIGN}Jahresplan;{host.email};2038-03-01 09:00;Europe/Berlin;4711;rot;s3cret\n"
    form = take_in(planner, spec, text=text)
    assert [form.values[f"column_{place}"] for place in range(7)] == [""] * 7
    page = planner.get(form.action)
    assert "7 columns are not imported" in text_of(page)
    assert "Map a column to “Host”" in text_of(page)
    assert "Jahresplan" in page
    values = ["topic", "host", "start_time", "timezone", "tracking:Cost centre", "", "password"]
    chosen = {f"column_{place}": name for place, name in enumerate(values)}
    refused = planner.client.post(form.action, chosen | {"column_5": "topic", "column_1": ""})
    assert refused.status_code == 422
    said = text_of(refused.text)
    assert "Several columns are mapped to “Topic”. Choose one." in said
    assert "Map a column to “Host”" in said
    assert "s3cret" not in refused.text
    assert Job.objects.count() == 0
    unasked = planner.client.post(form.action, chosen)
    assert unasked.status_code == 422
    assert "1 column is not imported “Litur”." in text_of(unasked.text)
    job = work(begun(planner, form, **chosen, leave_out="5"))
    item = job.items.get()
    assert (item.state, item.label) == (ItemState.PENDING, "Jahresplan, 2038-03-01 09:00")
    assert item.data["body"]["tracking_fields"] == [{"field": "Cost centre", "value": "4711"}]
    assert item.secret == {"password": "s3cret"}
    assert "Columns that are not imported: Litur." in str(job.notes)
    assert not StoredTable.objects.exists()


def test_headings_of_other_languages_are_understood(planner, spec, host, work):
    head = "Thema;Gastgeber;Beginn;Dauer;Zeitzone;Wiederholung;Wochentage;Anzahl der Termine"
    row = f"Jahresplan;{host.email};1.3.2038 09:00;45;Europe/Berlin;wöchentlich;Montag;3"
    text = f"{head};tracking:Cost centre\n{row};4711\n"
    form = take_in(planner, spec, text=text)
    assert "leave_out" not in form.names
    item = work(begun(planner, form)).items.get()
    assert item.state == ItemState.PENDING, item.problems
    body = item.data["body"]
    assert (body["topic"], body["duration"], body["timezone"]) == (
        "Jahresplan",
        45,
        "Europe/Berlin",
    )
    assert body["start_time"].startswith("2038-03-01T09:00")
    assert body["recurrence"] == {"type": 2, "weekly_days": "2", "end_times": 3}


@pytest.mark.parametrize(
    ("headings", "names"),
    [
        ("Sujet,Organisateur,Début,Durée,Fuseau horaire,Mot de passe", "fr"),
        ("Asunto,Organizador,Fecha y hora,Duración,Zona horaria,Contraseña", "es"),
        ("Oggetto,Organizzatore,Inizio,Durata,Fuso orario,Codice di accesso", "it"),
        ("Assunto,Organizador,Início,Duração,Fuso horário,Senha", "pt"),
        ("Onderwerp,Organisator,Begintijd,Duur,Tijdzone,Wachtwoord", "nl"),
        ("Temat,Organizator,Początek,Czas trwania,Strefa czasowa,Hasło", "pl"),
        ("件名,主催者,開始日時,所要時間,タイムゾーン,パスワード", "ja"),
        ("主题,主持人,开始时间,时长,时区,密码", "zh"),
    ],
    ids=lambda value: value if len(value) == 2 else "",
)
def test_what_headings_mean_in_each_language(headings, names):
    known = ("topic", "host", "start_time", "duration", "timezone", "password")
    assert recognised(headings.split(","), MEETINGS, []) == known, names


@pytest.mark.parametrize(
    ("head", "row", "start", "minutes"),
    [
        ("Date,Time,Duration", "2038-03-01,09:00:00,30", "2038-03-01T09:00:00", 30),
        ("Start Date,Start Time,End Time", "1.3.2038,9:00 AM,10:30 AM", "2038-03-01T09:00:00", 90),
        (
            "Start Date,Start Time,End Date,End Time",
            "2038-03-01T00:00:00,22:00,2038-03-02,01:00",
            "2038-03-01T22:00:00",
            180,
        ),
        ("Start,End", "2038-03-01 23:30,0:15", "2038-03-01T23:30:00", 45),
        ("Start,End date", "2038-03-01 09:00,2038-03-01 09:45", "2038-03-01T09:00:00", 45),
        ("Datum,Uhrzeit,Ende", "01.03.2038,9:00 Uhr,9:20", "2038-03-01T09:00:00", 20),
    ],
)
def test_date_and_time_columns_and_end_are_start_and_duration(head, row, start, minutes):
    table = read(f"Topic,Host,Time zone,{head}\nBudget,a@a.example,Europe/Berlin,{row}\n")
    names = recognised(table.headers, MEETINGS, [])
    mapping = mapping_of(MEETINGS, names, table.headers).of_table(table)
    [read_row] = mapping.rows(table, SessionImportRow)
    assert (read_row.problems, read_row.error) == ([], None)
    assert (read_row.body["start_time"], read_row.body["duration"]) == (start, minutes)


@pytest.mark.parametrize("spec", [MEETINGS, WEBINARS], ids=["meetings", "webinars"])
def test_no_heading_of_sessions_means_two_columns(spec):
    met: dict[str, str] = {}
    for column in columns_for(spec).values():
        for heading in column.headings:
            assert met.setdefault(heading, column.name) == column.name, heading


def test_problems_are_reported_by_the_headings_of_the_table(planner, host, work):
    text = f"Thema;Gastgeber;Beginn;\nJahresplan;{host.email};gestern;\n"
    chosen = {"column_0": "topic", "column_1": "host", "column_2": "start_time"}
    job = work(begun(planner, take_in(planner, MEETINGS, text=text), **chosen))
    assert {heading for heading, _words in job.items.get().problems} >= {"Beginn"}


def test_rows_to_correct_keep_tracking_fields_that_table_had(planner, spec, host, work):
    job = planned(planner, spec, work, row_of(host, timezone="Mars", password="s3cret"))
    address = f"/c/{planner.connection.key}/jobs/{job.key}/rows/invalid.csv"
    wrong = b"".join(planner.client.get(address)).decode("utf-8-sig")
    assert "s3cret" not in wrong
    corrected = work(send(planner, spec, text=wrong.replace("Mars", "Europe/Berlin")))
    item = corrected.items.get()
    assert item.state == ItemState.PENDING, item.problems
    assert item.data["body"]["tracking_fields"] == [{"field": "Cost centre", "value": "4711"}]


def test_file_is_read_again_in_another_encoding_or_another_sheet(planner, spec, host, work):
    content = f"topic,host\nPrüfung,{host.email}\n".encode("cp1252")
    form = take_in(planner, spec, file=SimpleUploadedFile("a.csv", content))
    address = f"{form.action}read/"
    assert planner.client.post(address, {"encoding": "cp1250"})["Location"] == form.action
    assert "Prüfung" in planner.get(form.action)

    def second(book):
        book.create_sheet("Next year").append(["topic", "host", "agenda"])
        book["Next year"].append(["Outlook", host.email, "Figures"])

    book = workbook(("topic", "host"), ("Review", host.email), edit=second)
    form = take_in(planner, spec, file=SimpleUploadedFile("a.xlsx", book))
    planner.client.post(f"{form.action}read/", {"sheet": "Next year"})
    page = planner.get(form.action)
    assert "Outlook" in page
    assert "Review" not in page


def test_a_table_that_is_not_kept_any_more_is_sent_again(planner, spec, host, connect):
    form = take_in(planner, spec, text=f"topic,host\nReview,{host.email}\n")
    stranger = member("other@example.com", Role.ADMINISTRATOR)
    theirs = connect(stranger)
    address = form.action.replace(planner.connection.key, theirs.key)
    answer = admin_client_for(stranger).get(address)
    assert answer["Location"].endswith(f"/{spec.family}/import/")
    StoredTable.objects.update(stored_at=timezone.now() - storage.STORED_FOR - timedelta(minutes=1))
    for again in (
        planner.client.get(form.action),
        planner.client.post(form.action, form.values),
        planner.client.post(f"{form.action}read/", {"encoding": ""}),
    ):
        assert again["Location"] == planner.url(spec, "import")


def test_headings_are_recognised_and_each_means_one_column(spec):
    met: dict[str, str] = {}
    for column in columns_for(spec).values():
        for heading in column.headings:
            assert met.setdefault(heading, column.name) == column.name, heading
    headings = ["Subject", "title", "Tracking: Unit", "cost CENTRE", "Colour", "Unit", ""]
    names = recognised(headings, spec, ["Cost centre", "Unit"])
    assert names == ("", "topic", "tracking:Unit", "tracking:Cost centre", "", "", "")
    group = choices_in(headings, spec, ["Cost centre"])[-1]
    assert group == (
        "One tracking field",
        [("tracking:Cost centre", "Cost centre"), ("tracking:Unit", "Unit")],
    )
    assert (
        mapping_of(spec, ("tracking:Unit", "tracking:Unit"), ("A", "B"))
        .problems()[0]
        .startswith("Several columns are mapped to “Unit”.")
    )


@pytest.mark.parametrize(
    ("text", "week", "day"),
    [
        ("second Monday", WeekOfMonth.SECOND, WeekDay.MONDAY),
        (" On the  LAST friday of the month", WeekOfMonth.LAST, WeekDay.FRIDAY),
        ("1st Sun", WeekOfMonth.FIRST, WeekDay.SUNDAY),
        ("third week", WeekOfMonth.THIRD, None),
        ("4", WeekOfMonth.FOURTH, None),
        ("2.0", WeekOfMonth.SECOND, None),
        ("-1", WeekOfMonth.LAST, None),
        ("-1.0", WeekOfMonth.LAST, None),
    ],
)
def test_weeks_of_a_month_are_understood(text, week, day):
    assert week_in(text) == (week, day)


@pytest.mark.parametrize("text", ["fifth Monday", "0", "-2", "Monday", "second Moonday", "1 2"])
def test_what_is_no_week_of_a_month_is_never_guessed(text):
    with pytest.raises(ValueError, match=r"not a week of the month|not a day of the week"):
        week_in(text)


def test_a_month_can_be_reported_by_the_days_of_its_weeks(planner, spec, host, work):
    monthly = {"recurrence_type": "monthly", "end_times": "3"}
    second = row_of(host, topic="Board", monthly_week="second Monday", **monthly)
    last = row_of(host, topic="Close", monthly_week="-1", monthly_week_day="Fri", **monthly)
    job = planned(planner, spec, work, second, last)
    assert [item.state for item in job.items.all()] == ["pending"] * 2, [
        item.problems for item in job.items.all()
    ]
    assert [_repeats(item) for item in job.items.all()] == [
        "Every month on the second Monday, 3 occurrences",
        "Every month on the last Friday, 3 occurrences",
    ]
    assert "Row 2: The first occurrence is Monday, 8 March 2038" in str(job.notes)
    made = [item.object_id for item in carried_out(job, work).items.all()]
    assert [_days(planner.saved(spec, number)) for number in made] == [
        ["2038-03-08", "2038-04-12", "2038-05-10"],
        ["2038-03-26", "2038-04-30", "2038-05-28"],
    ]
    same, other = dict(second, id=made[0]), dict(last, id=made[1])
    other |= {"monthly_week": "first", "monthly_week_day": "Tuesday"}
    again = planned(planner, spec, work, same, other)
    assert [item.state for item in again.items.all()] == ["unchanged", "pending"]
    assert _repeats(again.items.get(number=3)) == "Every month on the first Tuesday, 3 occurrences"


def test_what_contradicts_a_week_of_the_month_is_reported(planner, host, work):
    monthly = {"recurrence_type": "monthly", "end_times": "3"}
    rows = [
        row_of(host, monthly_week="second Monday", monthly_week_day="Fri", **monthly),
        row_of(host, monthly_week="last", **monthly),
        row_of(host, monthly_week="last Friday", monthly_day="5", **monthly),
        row_of(host, monthly_week="last Friday", recurrence_type="weekly", end_times="3"),
        row_of(host, weekly_days="Mon", **monthly),
        row_of(host, monthly_week="last Friday", end_times="3"),
    ]
    job = planned(planner, MEETINGS, work, *rows)
    assert [{column for column, _words in item.problems} for item in job.items.all()] == [
        {"monthly_week_day"},
        {"monthly_week_day"},
        {"monthly_day"},
        {"monthly_week"},
        {"weekly_days"},
        {"recurrence_type"},
    ]


def _repeats(item):
    return next(after for title, _before, after in item.changes if title == "Repeats")


def _days(saved):
    return [one["start_time"][:10] for one in saved["occurrences"]]


def test_end_at_midnight_of_a_workbook_takes_in_its_day():
    zone = "Europe/Berlin"
    assert end_in("2027-03-01T00:00:00") == end_in("2027-03-01")
    assert end_of(end_in("2027-03-01T00:00:00Z"), zone) == "2027-03-01T00:00:00Z"


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("60 min", 60),
        ("1 h 30 min", 90),
        ("1h", 60),
        ("2 Stunden", 120),
        ("01:30:00", 90),
        ("45", 45),
        ("90'", 90),
        ("soon", "soon"),
        ("1.5", "1.5"),
    ],
)
def test_length_is_read_as_people_write_it(text, minutes):
    assert minutes_in(text) == minutes
