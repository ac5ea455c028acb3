"""Promise 28 over every route that answers with a table: no cell and no header is a formula."""

import csv
import io
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest
from django.db.models import Model, TextField
from django.utils import timezone
from openpyxl import load_workbook

from portal.access.http import Origin
from portal.account.models import Baseline
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.dashboards.models import MeasuredDay, MeasuredSession
from portal.directory.models import GroupKind, MirroredGroup, MirroredUser
from portal.jobs.models import ItemState, JobState
from portal.mirror.mirrored_list import MIRRORED_LISTS
from portal.mirror.models import MirrorState
from portal.people.imports.jobs import KIND
from portal.recordings.models import MirroredRecording
from portal.sessions.models import MirroredSession
from portal.webhooks.models import Delivery
from tests.support.chat_pages import open_archive
from tests.support.html import text_of
from tests.support.job_pages import forced, item
from tests.support.portal import admin_client_for
from tests.support.routes import NAMED
from tests.support.sample_service import answering
from tests.support.samples import WORDS
from tests.support.spreadsheets import formulas_in_csv, formulas_in_xlsx

pytestmark = pytest.mark.django_db

HOSTILE = "\N{FULLWIDTH EQUALS SIGN}a;=cmd|' /C calc'!A0\n@SUM(1)"
Row = TypeVar("Row", bound=Model)
WITH_CONTENT = {
    "audit-export",
    "account:compare-groups-export",
    "account:compare-im-groups-export",
    "account:compare-people-export",
    "account:compare-sub-accounts-export",
    "webhooks:deliveries-export",
    "account:baseline-export",
    "account:baselines-export",
    "account:devices-export",
    "account:sub-accounts-export",
    "account:tracking-fields-export",
    "webhooks:webhooks-export",
    "chat:list-export",
    "chat:messages-export",
    "chat:session-export",
    "dashboards:messages-export",
    "dashboards:past-export",
    "dashboards:quality-export",
    "dashboards:quality-participants-export",
    "dashboards:room-export",
    "dashboards:rooms-export",
    "jobs:rows",
    "people:export",
    "people:licences-export",
    "groups:export",
    "groups:members-export",
    "im-groups:export",
    "im-groups:members-export",
    "meetings:export",
    "recordings:export",
    "meetings:held-export",
    "meetings:registrants-by-date",
    "meetings:registrants-export",
    "reports:hosts-export",
    "reports:inactive-export",
    "reports:meeting-export",
    "reports:meeting-participants-export",
    "reports:meeting-polls-export",
    "reports:person-export",
    "reports:telephone-export",
    "reports:webinar-export",
    "reports:webinar-participants-export",
    "reports:webinar-polls-export",
    "reports:webinar-questions-export",
    "webinars:export",
    "webinars:held-export",
    "webinars:registrants-by-date",
    "webinars:registrants-export",
}
# Those of the samples, for lists of some days.
DAYS = {"period": "custom", "from_date": "2026-03-01", "to_date": "2026-03-01"}
# The subjects with compared settings.
COMPARED = {"subject": HOSTILE, "show": "all"}
# Whatever the use of their licences is.
LICENSED = {"use": "all"}
# And moments: no text of the service stands in them.
OF_NUMBERS = {"dashboards:ports-export", "reports:daily-export", "reports:storage-export"}
# Rows that are corrected and sent again, under the headings that they came with.
OF_ROWS = {"jobs:rows"}
# Columns of pages that are several in files, or none; and the box of a table that selects.
IN_OTHER_WORDS = {"Name", "Joining", "Media", "Groups", "Actions", "Select this page"}
FEWEST_PAGES = 25
ZONE = "UTC"
# Names of numbers that are no amounts.
NUMBERED = {"Number", "ID", "Meeting ID", "Object ID"}
IN_CODE = re.compile("[a-z0-9_.]+")
DATED = re.compile(r"\d{4}-\d{2}-\d{2}")
NUMERIC = re.compile(r"-?\d+(\.\d+)?")
TEMPLATES = {
    *(f"{where}:import-template" for where in ("people", "meetings", "webinars")),
    *(f"{where}:registrants-import-template" for where in ("meetings", "webinars")),
    *(f"account:{name}-import-template" for name in ("devices", "tracking-fields")),
}


@pytest.fixture
def hostile(faulty, fault_server):
    """Returns a connection with hostile texts alone: at the service, in the mirror, in the
    trail."""
    fault_server.always(answering(_hostile))
    _mirrored(MirroredUser(connection=faulty, status="active", type=2, group_ids=[HOSTILE]))
    for group_kind in GroupKind.values:
        _mirrored(MirroredGroup(connection=faulty, kind=group_kind))
    soon = timezone.now() + timedelta(days=7)
    for kind in ("meetings", "webinars"):
        data = {"kind": kind, "type": 2, "start_time": soon, "tracking": {HOSTILE: HOSTILE}}
        session = _mirrored(MirroredSession(connection=faulty, **data))
        session.occurrences.create(
            connection=faulty, occurrence_id="", start_time=soon, end_time=soon
        )
    began = datetime(2026, 3, 1, 12, tzinfo=UTC)  # among `DAYS`
    _mirrored(MirroredRecording(connection=faulty, status="available", start_time=began))
    for kind in (*MIRRORED_LISTS, "sessions", "recordings"):
        MirrorState.objects.create(connection=faulty, kind=kind, refreshed_at=began)
    _measured(faulty)
    _mirrored(Delivery(connection=faulty, event=HOSTILE, object_id=HOSTILE))
    record(Origin(faulty.owner), Act.SIGN_IN, label=HOSTILE, sent={"a": HOSTILE}, message=HOSTILE)
    return faulty


def _hostile(name, text):
    return HOSTILE if text == WORDS and not name.endswith("id") else text


def _mirrored(row):
    for field in row._meta.concrete_fields:
        if isinstance(field, TextField):
            setattr(row, field.attname, HOSTILE)
    row.save()
    return row


def _measured(connection):
    """A poor stream on the day of the samples."""
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    day = MeasuredDay.objects.create(connection=connection, day=at.date(), asked_at=at)
    session = MeasuredSession.objects.create(
        connection=connection,
        day=day,
        family="meetings",
        key=HOSTILE,
        topic=HOSTILE,
        start=at,
        read_at=at,
    )
    names = ("participant", "name", "network", "location", "version", "device")
    stay = session.stays.create(person="person", user_id=HOSTILE, **dict.fromkeys(names, HOSTILE))
    stay.streams.create(medium="audio", is_sent=True, latency=9000)


def _baseline(connection):
    values = {"name": HOSTILE, "kind": "people", "values": {"in_meeting.chat": True}}
    baseline = Baseline.objects.create(connection=connection, owner=connection.owner, **values)
    now = timezone.now()
    baseline.drifts.create(
        subject_id=HOSTILE, subject=HOSTILE, setting=HOSTILE, since=now, checked_at=now
    )
    return baseline


def _job(connection):
    data = {"label": HOSTILE, "message": HOSTILE, "problems": [[HOSTILE, HOSTILE]]}
    row = {"email": HOSTILE, HOSTILE: HOSTILE}
    failed = item(2, ItemState.FAILED, data={"row": row}, **data)
    return forced(connection, JobState.DONE, failed, kind=KIND)


def test_no_file_of_any_route_holds_a_formula(hostile, administrator):
    client = admin_client_for(administrator)
    open_archive(client, hostile)
    given = {
        "room_id": "r1",
        "user_id": "u1",
        "session_id": "123456789",
        "job_key": _job(hostile).key,
        "baseline_id": str(_baseline(hostile).pk),
    }
    # That no other route answers with a table, test_secrets_on_pages.py sees.
    files = [route for route in NAMED if {"file", "kind"} & {*route.arguments}]
    texts = _tables(client, hostile, given, "csv", files)
    assert texts.keys() == WITH_CONTENT | OF_NUMBERS | TEMPLATES
    for name, content in texts.items():
        assert formulas_in_csv(content) == [], name
        assert name in TEMPLATES | OF_NUMBERS or "calc" in content.decode(), (
            f"{name} holds nothing hostile"
        )
    books = _tables(client, hostile, given, "xlsx", files)
    assert books.keys() == texts.keys()
    for name, content in books.items():
        assert formulas_in_xlsx(content) == [], name
    wrong = {
        name: faults
        for name in books.keys() - TEMPLATES - OF_ROWS
        if (faults := list(_faults(texts[name], books[name])))
    }
    assert wrong == {}
    shown = {name: _heads_of_page(client, hostile, given, name) for name in books}
    assert len([name for name, heads in shown.items() if heads]) >= FEWEST_PAGES
    missing = {
        name: heads - _words(texts[name]) - IN_OTHER_WORDS
        for name, heads in shown.items()
        if heads - _words(texts[name]) - IN_OTHER_WORDS
    }
    assert missing == {}


def _words(text):
    """Headings of a file, without what is said of their units."""
    heads = next(csv.reader(io.StringIO(text.decode("utf-8-sig"), newline="")))
    return {head.partition(" (")[0] for head in heads} | {*heads}


def _heads_of_page(client, connection, given, name):
    """Headings of the table that a file is of, where a page shows it under the name of a list."""
    path = name.removesuffix("-export").replace(":export", ":list")
    page = next((one for one in NAMED if one.name == path != name), None)
    if page is None:
        return set()
    url = page.url_of(connection.owner, connection, None, **given)
    html = client.get(url, {**DAYS, **COMPARED, **LICENSED}).text
    table = re.search(r'<table class="[^"]*sb-table.*?</thead>', html, re.DOTALL)
    heads = re.findall(r"<th\b.*?</th>", table[0], re.DOTALL) if table else []
    return {*filter(None, map(text_of, heads))}


def _faults(text, content):
    """Yields what keeps the files of a route from being as those of all."""
    book = load_workbook(io.BytesIO(content))
    heads = [str(cell.value) for cell in book.worksheets[0][1]]
    plain = [head.removesuffix(f" ({ZONE})") for head in heads]
    if next(csv.reader(io.StringIO(text.decode("utf-8-sig"), newline=""))) != plain:
        yield "the headings of CSV are others"
    yield from (f"{head} is no word of the screen" for head in plain if IN_CODE.fullmatch(head))
    yield from (f"{head} stands there twice" for head, count in Counter(plain).items() if count > 1)
    columns = zip(*book.worksheets[0].iter_rows(min_row=2, values_only=True), strict=True)
    for head, values in zip(heads, columns, strict=False):
        texts = [value for value in values if isinstance(value, str)]
        if any(map(DATED.match, texts)):
            yield f"the dates of {head} are texts"
        if head not in NUMBERED and any(map(NUMERIC.fullmatch, texts)):
            yield f"the numbers of {head} are texts"
        is_moment = any(isinstance(value, datetime) for value in values)
        if is_moment and not head.endswith(f" ({ZONE})"):
            yield f"{head} names no zone"
    if book.sheetnames[0] in ("Sheet1", "") or book.sheetnames[1:] != ["About"]:
        yield f"sheets are called {book.sheetnames}"
        return
    facts = {row[0].value for row in book["About"]}
    wanted = {"Account", "Content", "Rows", "Time zone", "Created", "Created by"}
    yield from (f"{each} is not said" for each in wanted - facts)
    if not facts & {"Loaded", "Days"}:
        yield "when it was read is not said"


def _tables(client, connection, given, kind, routes):
    """Returns the answers of those routes that give a file, by their names."""
    found = {}
    for route in routes:
        url = route.url_of(connection.owner, connection, None, **given, file=kind, kind=kind)
        answer = client.get(url, {"columns": "all", **DAYS, **COMPARED, **LICENSED})
        if answer.get("Content-Type", "").startswith(("text/csv", "application/vnd.openxml")):
            found[route.name] = answer.getvalue()
    return found
