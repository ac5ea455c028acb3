"""What the plan or the service lacks is empty, and keeps nothing else from being read."""

import pytest

from portal.access import availability
from portal.client import NotAvailable
from portal.connections.api import api_for
from portal.directory.groups import GROUPS
from portal.directory.models import MirroredGroup, MirroredUser
from portal.jobs.offboarding import Leaver, holdings
from portal.mirror.refresh import refresh
from portal.people.offboarding.jobs import read
from portal.people.onboarding.jobs import _groups
from portal.people.services.account import AccountSnapshot
from portal.sessions.jobs.reading import sessions_of
from tests.support.fault_server import answer, depending
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db
NO_PLAN = answer(400, {"code": 200, "message": "Only available for Paid accounts."})
NO_SCOPE = answer(400, {"code": 4711, "message": "No scopes:[group:read:admin]."})


def lacking(part, refusal, **content):
    """Refuses what is below a path with this in it, and answers all else with that content."""

    def choose(seen):
        return refusal if part in seen.path else answer(200, content)

    return depending(choose)


def read_list(connection):
    state = GROUPS.request(connection)
    refresh(state.pk)
    state.refresh_from_db()
    return state


def test_groups_are_read_without_the_kind_that_is_lacking(faulty, fault_server):
    groups = [{"id": "g1", "name": "Sales"}]
    fault_server.always(answer(200, {"groups": groups}))
    read_list(faulty)
    fault_server.always(lacking("/im/", NO_SCOPE, groups=groups))
    state = read_list(faulty)
    assert not state.failure
    assert state.notes.startswith("IM groups: the service does not offer this")
    assert MirroredGroup.objects.count() == 2
    account, api = AccountSnapshot(), api_for(whole(faulty))
    account.read_groups(api)
    assert {column: len(groups) for column, groups in account.groups.items()} == {"groups": 2}
    assert sorted(map(len, _groups(api).values())) == [0, 1]


def test_groups_of_which_fewer_are_listed_than_reported_stay(faulty, fault_server):
    fault_server.always(answer(200, {"groups": [{"id": "g1"}, {"id": "g2"}], "total_records": 2}))
    read_list(faulty)
    fault_server.always(answer(200, {"groups": [{"id": "g1"}], "total_records": 2}))
    notes = read_list(faulty).notes_in_words
    assert "Groups: the service reports 2, and listed 1." in notes
    assert MirroredGroup.objects.count() == 4
    fault_server.always(answer(200, {"groups": [{"id": "g1"}], "total_records": 1}))
    assert not read_list(faulty).notes
    assert MirroredGroup.objects.count() == 2


def test_account_without_webinars_has_its_meetings(faulty, fault_server):
    fault_server.always(lacking("webinars", NO_PLAN, id=86, meetings=[{"id": 86}], total_records=1))
    found = [kind for kind, _session in sessions_of(api_for(whole(faulty)), "u1")]
    assert found == ["meetings"]
    availability.forget(faulty.key)
    fault_server.always(
        lacking("webinars", NO_SCOPE, id=86, meetings=[{"id": 86}], total_records=1)
    )
    with pytest.raises(NotAvailable):
        list(sessions_of(api_for(whole(faulty)), "u2"))


def test_who_leaves_holds_nothing_of_what_the_plan_lacks(faulty, fault_server):
    person = {"id": "u1", "email": "ann@example.com", "meetings": [], "tsp_accounts": []}
    lists = {"assistants": [], "schedulers": [], "groups": [], "page_size": 300}
    row = MirroredUser(connection=faulty, user_id="u1")
    fault_server.always(lacking("webinars", NO_PLAN, **person, **lists))
    found = read(api_for(whole(faulty)), row)
    assert isinstance(found.leaver, Leaver)
    assert {one.name for one in holdings()} - found.holdings.keys() == {"webinars"}
