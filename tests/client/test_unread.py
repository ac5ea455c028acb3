"""A record that cannot be read costs no list, whichever the interface has."""

import json
from typing import get_args

import pytest

from portal.access.http import UnreadRecords
from portal.client.answers import identity_of, understand
from portal.client.secret import Secret
from portal.client.transport import Answer
from portal.contract import operations
from portal.contract.groups import Groups
from portal.contract.meetings import Meetings
from portal.contract.model import fields, submodel
from portal.contract.operation import Call
from portal.contract.reading import all_left_out_of, left_out_of
from portal.contract.recordings import Recordings
from portal.contract.telephony import TspAccounts
from portal.contract.users import Users
from tests.contract.rows import rows
from tests.support.samples import sample


def lists_of(model):
    """The lists of objects of an answer: by name, the kind of their records."""
    found = [(name, field.annotation, submodel(field.annotation)) for name, field in fields(model)]
    return [
        (name, kind)
        for name, annotation, kind in found
        if kind and any(of is list for of in _origins(annotation))
    ]


def _origins(annotation):
    own = getattr(annotation, "__origin__", None)
    return [own, *(each for part in get_args(annotation) for each in _origins(part))]


LISTS = [
    (operation, name, kind)
    for operation in operations()
    if operation.method == "GET" and operation.returns
    for name, kind in lists_of(operation.returns)
]


def read(operation, **content):
    call = Call(operation, tuple("7" for _ in operation.path_parameters))
    content |= dict([identity_of(call) or ("", "")])
    return understand(call, Answer(200, {}, json.dumps(content).encode()), Secret("a token"))


def test_every_list_of_the_document_is_among_these():
    paged = {row.name for row in rows() if row.method == "GET" and row.paging}
    listed = {f"GET {operation.path}" for operation, _name, _kind in LISTS}
    rooms = {"GET /metrics/confrooms/{confroomId}"}  # its list is that of an object within
    assert paged - listed == rooms
    assert len(LISTS) == 63


@pytest.mark.parametrize(
    ("operation", "name", "kind"), LISTS, ids=[f"{each[0].name}-{each[1]}" for each in LISTS]
)
def test_one_bad_record_among_three_costs_no_list(operation, name, kind):
    assert operation.returns
    good = sample(kind)
    needed = [each for each, field in fields(kind) if field.is_required() and each != "id"]
    bad = {each: value for each, value in good.items() if each not in needed} if needed else 7
    page = read(operation, **{**sample(operation.returns), name: [good, bad, good, good]})
    attribute = next(a for a, f in operation.returns.model_fields.items() if name in (a, f.alias))
    assert len(getattr(page, attribute)) == 3
    [record] = left_out_of(page)
    assert (record.place, record.field) == (name, needed[0] if needed else "")
    assert record.title == operation.returns.model_fields[attribute].title
    assert left_out_of(page.model_copy(update={name: []})) == (record,)


def test_who_has_no_id_goes_by_the_email_address():
    for operation, name in ((Users.list, "users"), (Groups.members, "members")):
        page = read(operation, **{name: [{"email": "new@example.com"}, {"first_name": "Ann"}]})
        assert [one.id for one in getattr(page, name)] == ["new@example.com"]
        assert [record.field for record in left_out_of(page)] == ["id"]


def test_records_within_records_are_counted_beside_those_of_page():
    page = read(Recordings.of_user, meetings=[{"uuid": "a", "recording_files": [{"id": "f"}, 7]}])
    assert [one.id for one in page.meetings[0].recording_files] == ["f"]
    assert not left_out_of(page)
    [record] = all_left_out_of(page)
    assert (record.place, record.title) == ("meetings.recording_files", "Recording files")
    found = read(TspAccounts.list, tsp_accounts=[{"conference_code": "1"}])
    assert [record.field for record in left_out_of(found)] == ["leader_pin"]


@pytest.mark.parametrize("groups", ["none", 7, {"id": "g"}, [7], ["a", None]])
def test_a_list_that_is_none_is_no_empty_one(groups):
    page = read(Groups.list, total_records=2, groups=groups)
    assert not page.groups
    assert left_out_of(page)


def test_a_page_that_is_read_again_is_counted_once():
    pages = [
        read(Meetings.of_user, page_number=number, meetings=[{"id": 1}, 7]) for number in (1, 2)
    ]
    asked = Call(Meetings.of_user, ("7",))
    unread = UnreadRecords()
    for page in (pages[0], *pages):
        unread.record(asked, page)
    unread.add("Of one host some could not be read.")
    assert unread.in_words == [
        "Of one host some could not be read.",
        "Meetings: 2 unreadable, so missing from lists, selections and files.",
    ]
