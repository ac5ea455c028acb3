"""Lists of a service of today: tokens beside page numbers, and pending people without ids."""

import pytest

from portal.access.api import api_for
from portal.access.http import Origin
from portal.access.models import Connection, User, Way
from portal.access.services import connections
from portal.client import page_at
from portal.contract.recordings import RecordingsQuery
from portal.contract.users import UserQuery, UserStatus
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.directory.users import USERS
from portal.mirror.refresh import refresh
from tests.support.sandbox import Sandbox, SandboxFactory
from tests.support.scopes import whole

pytestmark = [pytest.mark.django_db, pytest.mark.deep]  # a sandbox of its own


@pytest.fixture
def today(sandbox_factory: SandboxFactory) -> Sandbox:
    return sandbox_factory("--profile=current", "--frozen", "--users=700")


@pytest.fixture
def account(today: Sandbox, administrator: User) -> Connection:
    made = Connection(
        owner=administrator, name="Real", base_url=today.url, way=Way.BEARER, dialect="current"
    )
    connections.save(Origin(administrator), made, today.token)
    return made


def test_all_people_are_copied_those_without_an_id_by_email(account: Connection, today: Sandbox):
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


def test_pages_by_number_and_by_token_hold_each_record_once(account: Connection):
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
