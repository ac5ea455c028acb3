"""Lists of a service of today: tokens beside page numbers, and pending people without ids."""

import pytest

from portal.access.http import Origin
from portal.access.models import Connection, Way
from portal.client import page_at
from portal.connections.api import api_for
from portal.connections.services import connections
from portal.contract.recordings import RecordingsQuery
from portal.contract.users import UserQuery, UserStatus
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.directory.users import USERS
from portal.mirror.refresh import refresh
from portal.recordings.models import MirroredRecording
from tests.recordings.made import listed, read_all
from tests.support.scopes import whole

pytestmark = [pytest.mark.django_db, pytest.mark.deep]  # a sandbox of its own


@pytest.fixture
def today(sandbox_factory):
    return sandbox_factory("--profile=current", "--frozen", "--users=700")


@pytest.fixture
def account(today, administrator):
    made = Connection(
        owner=administrator, name="Real", base_url=today.url, way=Way.BEARER, dialect="current"
    )
    connections.save(Origin(administrator), made, today.token)
    return made


def test_all_people_are_copied_those_without_an_id_by_email(account, today):
    state = USERS.request(account)
    refresh(state.pk)
    state.refresh_from_db()
    assert (state.failure, state.notes) == ("", "")
    pending = MirroredUser.objects.filter(status=UserStatus.PENDING)
    assert pending.exists()
    assert all(one.user_id == one.email for one in pending)
    counts = mirror.counts_by_status(whole(account))
    for status in UserStatus:
        listed = today.client.get("/users", params={"status": status, "page_size": 1}).json()
        assert counts.get(status, 0) == listed["total_records"]


def test_pages_by_number_and_by_token_hold_each_record_once(account):
    api = api_for(whole(account))
    small = [one.id for one in api.users.list.all(UserQuery(page_size=37))]
    assert len(small) == len(set(small)) > 300
    second = page_at(
        api.caller, api.users.list.operation.call(UserQuery(page_size=9, page_number=2))
    )
    assert [one.id for one in second.users] == small[9:18]
    days = {"from": "2026-01-01", "to": "2026-01-31", "page_size": 1}
    for host in small[:20]:
        found = [one.uuid for one in api.recordings.of_user.all(host, RecordingsQuery(**days))]
        assert len(found) == len(set(found))


def test_recordings_of_the_account_are_those_of_each_host(account, today, work):
    read_all(account, work)
    expected: dict[str, int] = {}
    for user in today.people("active", "inactive"):
        for is_trash in (False, True):
            for one in listed(today, user["id"], trash=is_trash):
                size = sum(each["file_size"] for each in one["recording_files"])
                expected[one["uuid"]] = expected.get(one["uuid"], 0) + size
    stored = MirroredRecording.objects.filter(connection=account)
    assert dict(stored.values_list("uuid", "size")) == expected
    assert stored.filter(status="trashed").exists()
