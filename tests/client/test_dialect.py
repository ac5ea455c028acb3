"""Paths and keys that a service names otherwise than the document."""

from pathlib import Path

import pytest

from portal.client import Api, HttpCaller, Secret, Target
from portal.client.addresses import AddressPolicy
from portal.client.dialect import Dialect, NoDialect, read_dialect
from portal.contract.paging import NumberedQuery
from tests.support.fault_server import answer

ROOM = {"id": "r1", "room_name": "Lobby"}
CURRENT = Path(__file__).parents[2] / "portal" / "client" / "dialects" / "current.toml"


def api(fault_server, dialect):
    host = fault_server.url.removeprefix("http://").partition("/")[0]
    policy = AddressPolicy(frozenset({host}))
    return Api(HttpCaller(lambda: Target(fault_server.url, Secret("t"), policy, dialect=dialect)))


def test_renamed_path_and_field_are_read_by_the_documents_names(fault_server):
    page = {"page_size": 1, "page_number": 1, "total_records": 1, "page_count": 1}
    fault_server.always(answer(200, page | {"zoom_rooms": [ROOM]}))
    rooms = api(fault_server, read_dialect(CURRENT)).metrics.rooms(NumberedQuery(page_size=1))
    assert rooms.conf_rooms[0].id == "r1"
    assert fault_server.requests[0].path.endswith("/metrics/zoomrooms")


def test_objects_below_a_renamed_path_are_there_too(fault_server):
    fault_server.always(answer(204))
    api(fault_server, read_dialect(CURRENT)).tracking_fields.delete("f/1")
    assert fault_server.requests[0].path.endswith("/tracking_fields/f%252F1")
    assert "/v2/v2/" not in fault_server.requests[0].path


def test_body_is_sent_with_the_services_names(fault_server):
    fault_server.always(answer(201, {"id": "g1", "title": "Sales", "total_members": 0}))
    dialect = Dialect(keys={"groups.create": {"name": "title"}})
    call = api(fault_server, dialect).groups.create
    body = call.operation.body
    assert body
    assert call(body(name="Sales")).name == "Sales"
    assert fault_server.requests[0].json == {"title": "Sales"}


@pytest.mark.parametrize(
    "text",
    ["paths = 3", '[keys."no.operation"]\na = "b"', '[paths]\n"/a" = "https://x/"', "= nonsense"],
)
def test_file_that_is_no_dialect_is_refused(tmp_path, text):
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(NoDialect):
        read_dialect(path)


def test_sign_in_is_sent_and_read_by_its_name_of_today(fault_server):
    settings = {"enforce_login": False, "meeting_authentication": True}
    fault_server.always(answer(201, {"id": 1, "settings": settings}))
    for family in ("meetings", "webinars"):
        call = getattr(api(fault_server, read_dialect(CURRENT)), family).create
        body = {"settings": {"enforce_login": True, "enforce_login_domains": "x.de"}}
        made = call("u1", call.operation.body.model_validate(body))
        sent = fault_server.requests[-1].json["settings"]
        assert sent == {"meeting_authentication": True, "authentication_domains": "x.de"}
        assert made.settings.enforce_login is True


def test_counters_of_messages_are_read_by_their_names_of_today(fault_server):
    sent = {"total_sent": 9, "group_sent": 2, "files_sent": 3, "images_sent": 4, "audio_sent": 5}
    user = {"user_id": "u1", **sent, "video_sent": 6, "giphys_sent": 7}
    page = {"next_page_token": "", "page_size": 30, "users": [user]}
    fault_server.always(answer(200, page))
    call = api(fault_server, read_dialect(CURRENT)).metrics.im
    query = call.operation.query.model_validate({"from": "2026-01-01", "to": "2026-01-02"})
    one = call(query).users[0]
    counts = (one.total_send, one.group_send, one.files_send, one.images_send, one.voice_send)
    assert (*counts, one.videos_send, one.emoji_send) == (9, 2, 3, 4, 5, 6, 7)
    assert one.total_receive is None


def test_numbers_beyond_those_of_a_script_stay_as_they_are(fault_server):
    """Read, renamed, and sent back with what the document does not have."""
    large, larger = 2**53 + 1, 10**30 + 1
    option = {"license_type": "MEETING", "license_option": larger}
    body = {"id": large, "meeting_authentication": True, "license_info_list": [option]}
    fault_server.always(answer(200, {**body, "settings": {"enforce_login": False}}))
    read = api(fault_server, read_dialect(CURRENT)).meetings.get(str(large))
    assert read.id == large
    assert read.sent()["license_info_list"] == [option]
    change = api(fault_server, read_dialect(CURRENT)).users.update
    fault_server.always(answer(204))
    change("u1", change.operation.body.model_validate({"further": larger}, extra="allow"))
    assert fault_server.requests[-1].json == {"further": larger}


def test_edited_and_deleted_messages_are_listed_with_the_others(fault_server):
    sent = {"sender": "a@x.de", "date_time": "2026-01-01T10:00:00Z"}
    page = {
        "messages": [
            {"id": "1", "message": "Hello", **sent},
            {"id": "2", "message": "Old", **sent},
        ],
        "edited_messages": [{"id": "2", "message": "New", **sent}],
        "deleted_messages": [{"id": "3", "message": "Gone", **sent}],
    }
    fault_server.always(answer(200, page))
    call = api(fault_server, read_dialect(CURRENT)).chat.messages
    days = {"from": "2026-01-01", "to": "2026-01-02"}
    read = call("s1", call.operation.query.model_validate(days)).messages
    assert [(one.message, one.action) for one in read] == [
        ("Hello", ""),
        ("New", "edit"),
        ("Gone", "delete"),
    ]
    asked = fault_server.requests[-1].target
    assert "include_fields=edited_messages%2Cdeleted_messages" in asked
