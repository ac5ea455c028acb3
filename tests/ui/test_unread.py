"""Pages and files go on without a record that cannot be read, and say that it is missing."""

from datetime import date
from io import BytesIO
from types import SimpleNamespace
from typing import cast

import pytest
from openpyxl import load_workbook

from portal.account.resources import DeviceImportJob
from portal.connections.api import api_for, caller_for
from portal.directory.groups import GROUPS
from portal.directory.models import MirroredGroup, MirroredUser
from portal.directory.users import USERS
from portal.imports.plan import CREATE
from portal.jobs.job_types import ItemVerdict
from portal.jobs.models import Job, JobItem
from portal.jobs.planning import Planning
from portal.jobs.running import Run
from portal.jobs.workers import WorkUnit
from portal.mirror.refresh import refresh
from portal.recordings.jobs.reading import READING as RECORDINGS
from portal.recordings.models import MirroredRecording
from portal.reports.services.sources import DAILY, HOSTS, STORAGE
from portal.reports.windows import Span
from portal.sessions.jobs.reading import READING as SESSIONS
from portal.sessions.models import MirroredSession
from tests.support.fault_server import answer
from tests.support.html import text_of
from tests.support.scopes import whole
from tests.support.unread_service import one_bad_record

pytestmark = pytest.mark.django_db
MISSING = "unreadable, so missing from lists, selections and files."


@pytest.fixture
def account(faulty, fault_server):
    fault_server.always(one_bad_record())
    return f"/c/{faulty.key}"


@pytest.mark.parametrize(
    ("page", "what", "shown"),
    [
        ("account/devices/", "Devices: 1", "name3"),
        ("meetings/86000000001/registrants/", "Registrants: 1", "person3@example.com"),
        *(
            pytest.param(*each, marks=pytest.mark.deep)
            for each in (
                ("account/tracking-fields/", "Tracking fields: 1", "id3"),
                ("account/webhooks/", "Webhooks: 1", "webhook_id3"),
                ("account/sub-accounts/", "Sub accounts: 1", "id3"),
                ("account/telephony/", "Dial-in numbers: 1", ""),
                ("people/u1/telephony/", "TSP accounts: 1", ""),
                ("people/u1/delegates/", "Assistants: 2", "person3@example.com"),
                ("groups/id1/", "Members: 1", "person3@example.com"),
                ("meetings/86000000001/polls/", "Polls: 1", ""),
                ("webinars/86000000001/panelists/", "Panelists: 1", "person3@example.com"),
                ("dashboards/rooms/", "Conference rooms: 1", ""),
            )
        ),
    ],
)
def test_page_shows_the_others_and_says_what_is_missing(client, account, page, what, shown):
    answer = client.get(f"{account}/{page}")
    assert answer.status_code == 200
    assert f"{what} {MISSING}" in text_of(answer.text)
    assert shown in answer.text


def test_file_is_named_incomplete_and_says_what_is_missing(client, account):
    for page in (
        "account/devices/export/csv/",
        "meetings/86000000001/held/uuid1/export/csv/",
        "meetings/86000000001/registrants/by-date/csv/",
    ):
        name = client.get(f"{account}/{page}")["Content-Disposition"]
        assert "(incomplete).csv" in name, page
    workbook = client.get(f"{account}/account/devices/export/xlsx/")
    about = load_workbook(BytesIO(b"".join(workbook.streaming_content))).worksheets[1]
    assert ("Missing", f"Devices: 1 {MISSING}") in list(about.values)


def test_part_of_a_page_says_it_beside(client, account):
    headers = {"HX-Request": "true", "HX-Target": "results"}
    answer = client.get(f"{account}/account/devices/", headers=headers)
    assert 'data-toast="warning"' in answer.text
    assert f"Devices: 1 {MISSING}" in text_of(answer.text)


def test_all_of_a_list_is_chosen_without_what_cannot_be_read(client, account):
    url = f"{account}/meetings/86000000001/registrants/decide/cancel/"
    answer = client.post(url, {"all": "1", "matching": ""})
    assert f"Registrants: 1 {MISSING}" in text_of(answer.text)


def _read_all(connection, work):
    """Reads the lists, and returns how many rows each has."""
    for mirrored in (USERS, GROUPS):
        refresh(mirrored.request(connection).pk)
    for reading in (SESSIONS, RECORDINGS):
        reading.request(connection, ["id1"])
        work(Job.objects.filter(kind=reading.job_type).latest("pk"))
    models = MirroredUser, MirroredGroup, MirroredSession, MirroredRecording
    return {model.__name__: model._default_manager.count() for model in models}


def test_copies_keep_what_may_be_the_record_that_cannot_be_read(
    client, account, faulty, fault_server, work
):
    fault_server.always(one_bad_record(bad=None))
    complete = _read_all(faulty, work)
    assert all(count % 4 == 0 and count for count in complete.values())
    fault_server.always(one_bad_record())
    assert _read_all(faulty, work) == complete
    for page, what in (
        ("people/", f"People: 1 {MISSING}"),
        ("groups/", f"Groups: 1 {MISSING} IM groups: 1 {MISSING}"),
        ("meetings/", "Of 1 of 1 hosts some is unreadable"),
        ("recordings/", "Of 1 of 1 hosts some is unreadable"),
    ):
        assert what in text_of(client.get(f"{account}/{page}").text)
    everybody = {"all": "1", "matching": ""}
    for page in ("people/chosen/deactivate/", "recordings/chosen/trash/"):
        chosen = client.post(f"{account}/{page}", everybody)
        assert "missing from lists, selections" in text_of(chosen.text), page
    assert "(incomplete)" in client.get(f"{account}/people/export/csv/")["Content-Disposition"]


def test_what_may_be_there_unread_is_not_sent_again(faulty, fault_server, account):
    item = JobItem(action=CREATE, label="Lobby", data={"name": "Lobby", "body": {}})
    run = SimpleNamespace(_job_type=DeviceImportJob(), _caller=caller_for(whole(faulty)))
    asked = WorkUnit([item], resolves=True)
    settled = Run._carry_out(cast(Run, run), asked)
    assert settled.verdict is ItemVerdict.UNCERTAIN
    fault_server.always(answer(200, {"devices": []}))
    assert Run._carry_out(cast(Run, run), asked).verdict is ItemVerdict.NOT_SEEN


def test_report_counts_what_it_could_not_read(faulty, account):
    api, span = api_for(whole(faulty)), Span(date(2026, 1, 1), date(2026, 1, 31))
    for source in (DAILY, STORAGE, HOSTS):
        [page] = source.fetch(api, "", span)
        assert (len(page.records), page.reported) == (3, 4), source.name


def test_preview_of_a_job_says_what_its_plan_could_not_read(faulty, account):
    planning = Planning(Job(connection=faulty, owner=faulty.owner, kind="devices.import"))
    planning.add_notice("neutral", "Something else.")
    planning.api.devices.list()
    assert planning.notices == [
        ("neutral", "Something else."),
        ("warning", f"Devices: 1 {MISSING}"),
    ]
