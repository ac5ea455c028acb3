"""A third kind of session is an app of its own: the shared pages have it once it is registered."""

from typing import Any

import pytest
from django.urls import NoReverseMatch, reverse

from portal.access.scope import Limit, rule_of
from portal.connections.api import api_for
from portal.contract.webinars import WebinarDetails
from portal.jobs.job_types import job_type_of
from portal.jobs.models import Job
from portal.sessions import mirror
from portal.sessions.imports.session_columns import columns_for, recognised
from portal.sessions.jobs.reading import sessions_of
from portal.sessions.kinds import PLURALS, kind_called
from portal.sessions.models import MirroredSession
from portal.sessions.policy.finding import CLASH, Policy, coming_of
from portal.sessions.policy.remediations import DELETE, REASSIGN
from tests.support.fault_server import answer, depending
from tests.support.html import text_of
from tests.support.scopes import narrow, whole
from tests.support.townhalls import installed
from tests.support.townhalls.spec import TOWNHALLS, TownHalls

pytestmark = pytest.mark.django_db

NUMBER = 81234567890
TALK: dict[str, Any] = {
    "id": NUMBER,
    "host_id": "ada",
    "topic": "All hands",
    "type": 5,
    "start_time": "2038-03-01T09:00:00Z",
    "duration": 60,
}


@pytest.fixture
def townhalls():
    with installed():
        yield


@pytest.fixture
def talk(townhalls, faulty):
    details = WebinarDetails(**TALK)
    mirror.put(faulty, TOWNHALLS.family, details)
    return details


def _service(seen):
    if "/metrics/" in seen.path or seen.path.endswith("/polls"):
        return answer(404, {"code": 3001, "message": "Not live."})
    page = {"page_count": 1, "page_number": 1, "page_size": 300, "total_records": 1}
    lists = {"meetings": {**page, "meetings": []}, "webinars": {**page, "webinars": [TALK]}}
    return answer(200, lists.get(seen.path.rpartition("/")[2], TALK))


@pytest.mark.whole_pages
def test_a_kind_that_an_app_adds_is_listed_and_has_its_page(client, faulty, fault_server, talk):
    fault_server.always(depending(_service))
    own = reverse("townhalls:session", args=[faulty.key, NUMBER])
    for name, query in (
        ("townhalls:list", {}),
        ("sessions:calendar", {"view": "list", "day": "2038-03-01"}),
        ("mirror:search", {"q": "hands"}),
    ):
        assert own in client.get(reverse(name, args=[faulty.key]), query).text, name
    page = client.get(own)
    text = text_of(page.text)
    assert "Town hall 812 3456 7890" in text
    assert "Polls Stage crew Past instances" in text
    assert f'href="{reverse("townhalls:list", args=[faulty.key])}"' in page.text
    api = api_for(whole(faulty))
    assert [kind for kind, _ in sessions_of(api, "ada")] == ["webinars", "townhalls"]


def test_a_kind_that_an_app_adds_is_imported_and_limited(faulty, talk):
    assert PLURALS == "meetings, webinars and town halls"
    assert {"topic", "practice_session"} < columns_for(TOWNHALLS).keys()
    assert "waiting_room" not in columns_for(TOWNHALLS)
    names = recognised(["Town hall ID", "Webinar number", "Rehearsal"], TOWNHALLS, ())
    assert names == ("id", "", "practice_session")
    assert job_type_of(Job(kind="townhalls.import")).columns == tuple(columns_for(TOWNHALLS))
    assert rule_of(TownHalls.get).limit is Limit.BY_SESSION
    other = narrow(faulty, departments=frozenset({"Sales"}))
    assert not mirror.listed(other).exists()
    mirror.put(faulty, "webinars", WebinarDetails(**{**TALK, "id": 1}))
    policy = Policy(whole(faulty))
    clashing = policy.find(CLASH, mirror.SessionFilter(kinds=["townhalls"]))
    assert [str(one) for one in clashing] == ["All hands"]
    assert (TOWNHALLS in DELETE.kinds, TOWNHALLS in REASSIGN.kinds) == (True, False)


def test_a_stored_session_of_an_unknown_kind_is_left_out(client, faulty):
    with installed():
        mirror.put(faulty, TOWNHALLS.family, WebinarDetails(**TALK))
        mirror.put(faulty, "webinars", WebinarDetails(**{**TALK, "id": 1, "topic": "Webinar"}))
    for name in ("sessions:calendar", "sessions:policy"):
        page = client.get(reverse(name, args=[faulty.key]), {"view": "list", "day": "2038-03-01"})
        assert page.status_code == 200, name
        assert "All hands" not in page.text
    scope = whole(faulty)
    assert [row.topic for row in mirror.listed(scope)] == ["Webinar"]
    assert not Policy(scope).find(CLASH, mirror.SessionFilter())
    assert coming_of([faulty.pk]) == {faulty.pk: 1}
    assert MirroredSession.objects.count() == 2


def test_a_kind_is_unknown_without_its_app(faulty):
    with installed():
        assert kind_called("townhalls") is TOWNHALLS
    assert kind_called("townhalls") is None
    assert rule_of(TownHalls.get).limit is Limit.REFUSED
    with pytest.raises(NoReverseMatch):
        reverse("townhalls:list", args=[faulty.key])
