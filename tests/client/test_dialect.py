"""Paths and keys that a service names otherwise than the document."""

from pathlib import Path

import pytest

from portal.client import Api, HttpCaller, Secret, Target
from portal.client.addresses import AddressPolicy
from portal.client.dialect import Dialect, NoDialect, read_dialect
from portal.contract.paging import NumberedQuery
from tests.support.fault_server import FaultServer, answer

ROOM = {"id": "r1", "room_name": "Lobby"}
CURRENT = Path(__file__).parents[2] / "portal" / "client" / "dialects" / "current.toml"


def api(fault_server: FaultServer, dialect: Dialect) -> Api:
    host = fault_server.url.removeprefix("http://").partition("/")[0]
    policy = AddressPolicy(frozenset({host}))
    return Api(HttpCaller(lambda: Target(fault_server.url, Secret("t"), policy, dialect=dialect)))


def test_renamed_path_and_field_are_read_by_the_documents_names(fault_server: FaultServer):
    page = {"page_size": 1, "page_number": 1, "total_records": 1, "page_count": 1}
    fault_server.always(answer(200, page | {"zoom_rooms": [ROOM]}))
    rooms = api(fault_server, read_dialect(CURRENT)).metrics.rooms(NumberedQuery(page_size=1))
    assert rooms.conf_rooms[0].id == "r1"
    assert fault_server.requests[0].path.endswith("/metrics/zoomrooms")


def test_objects_below_a_renamed_path_are_there_too(fault_server: FaultServer):
    fault_server.always(answer(204))
    api(fault_server, read_dialect(CURRENT)).tracking_fields.delete("f/1")
    assert fault_server.requests[0].path.endswith("/tracking_fields/f%252F1")
    assert "/v2/v2/" not in fault_server.requests[0].path


def test_body_is_sent_with_the_services_names(fault_server: FaultServer):
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
def test_file_that_is_no_dialect_is_refused(tmp_path: Path, text: str):
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(NoDialect):
        read_dialect(path)
