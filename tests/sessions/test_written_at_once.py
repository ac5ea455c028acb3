"""Writes of the portal are in list, search and calendar at once, and no refresh undoes that."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.grants import scope_of
from portal.client import Api
from portal.connections.api import api_for
from portal.contract.meetings import MeetingDetails
from portal.contract.users import RemovalAction, UserRemoval
from portal.directory.colleagues import Colleague
from portal.meetings.spec import MEETINGS
from portal.mirror import rows
from portal.people.services import removal
from portal.sessions import mirror
from portal.sessions.mirror import ListedSession, SessionFilter
from portal.sessions.models import MirroredSession, SessionToRead
from portal.sessions.rereading import reread
from portal.sessions.services import planning
from portal.sessions.services.session import read
from portal.sessions.specs import SessionSpec
from tests.support.fault_server import answer, depending, reset
from tests.support.html import form_with, forms
from tests.support.scopes import whole
from tests.support.session_pages import Planner, typed

pytestmark = pytest.mark.django_db


class Written:
    """A session that is planned by the form, and where it is found."""

    def __init__(self, planner: Planner, spec: SessionSpec, host: Colleague) -> None:
        self.planner, self.spec, self.host = planner, spec, host
        self.word = f"topic{token_hex(6)}"
        self.start = (timezone.now() + timedelta(days=3)).replace(hour=12, minute=0, second=0)
        self.before = timezone.now()
        data = planner.plan(
            spec,
            host,
            topic=self.word,
            start_time=f"{self.start:%Y-%m-%dT%H:%M}",
            timezone="UTC",
            type=str(int(spec.series)),
            recurrence__type="1",
            recurrence__repeat_interval="1",
            ends="times",
            recurrence__end_times="2",
        )
        self.id = str(data["id"])

    @property
    def page(self) -> str:
        return self.planner.url(self.spec, "session", self.id)

    def found(self, word: str = "") -> set[str]:
        """Returns the pages that lead to it under this word."""
        word, key = word or self.word, self.planner.connection.key
        pages = {
            "search": (reverse("mirror:search", args=[key]), {"q": word}),
            "list": (self.planner.url(self.spec, "list"), {"q": word}),
            "calendar": (
                reverse("sessions:calendar", args=[key]),
                {"view": "week", "day": f"{self.start:%Y-%m-%d}", "q": word},
            ),
        }
        return {
            name
            for name, (address, query) in pages.items()
            if self.page in self.planner.get(address, **query)
        }

    def send(self, name: str, *more: str, **values: str) -> None:
        address = self.planner.url(self.spec, name, self.id, *more)
        form = forms(self.planner.get(address))[-1]
        if values:
            form = typed(form_with(self.planner.get(address), next(iter(values))))
        answered = self.planner.send(form, **values)
        assert answered.status_code == 303, answered.text

    @property
    def api(self) -> Api:
        """The service, with all that the administrator may do."""
        connection = self.planner.connection
        return api_for(scope_of(connection.owner, connection))

    def listed(self) -> tuple[str, Any]:
        """Returns its family, and a reading of it just now."""
        return self.spec.family, self.spec.calls(self.api).get(self.id)

    def days(self) -> list[datetime]:
        end = self.start + timedelta(days=9)
        times = mirror.beginning(whole(self.planner.connection), self.before, end)
        return list(times.filter(session__session_id=self.id).values_list("start_time", flat=True))

    def end_of_reading(self, listed: Sequence[tuple[str, ListedSession]], began: datetime) -> None:
        """A reading of the host ends that began then, and returned this."""
        mirror.replace_sessions(self.planner.connection, {self.host.id: listed}, began)


@pytest.fixture
def written(planner, spec, host):
    return Written(planner, spec, host)


EVERYWHERE = {"search", "list", "calendar"}


def test_a_new_session_is_found_everywhere_at_once_and_stays(written):
    assert written.found() == EVERYWHERE
    written.end_of_reading([], written.before)  # as it was before there was this session
    connection = written.planner.connection
    own = MirroredSession.objects.filter(connection=connection)
    rows.forget_hosts(mirror.state_of(connection), own, set(), written.before)
    assert written.found() == EVERYWHERE
    written.end_of_reading([written.listed()], timezone.now())
    assert written.found() == EVERYWHERE
    written.end_of_reading([], timezone.now())
    assert written.found() == set()


def test_a_changed_session_is_found_as_it_is_now(written):
    earlier, before = written.listed(), timezone.now()
    other = f"other{token_hex(6)}"
    written.send("edit", topic=other)
    written.end_of_reading([earlier], before)
    assert (written.found(), written.found(other)) == (set(), EVERYWHERE)


def test_change_taken_back_is_not_brought_again_by_reading(written):
    began, other = timezone.now(), f"other{token_hex(6)}"
    spec, connection = written.spec, written.planner.connection
    spec.calls(written.api).update(written.id, spec.change(topic=other))
    changed = written.listed()  # by another user, which the lists here do not contain yet
    session = read(written.api, whole(connection), spec, written.id)
    planning.change(written.api, connection, session, spec.change(topic=written.word))
    written.end_of_reading([changed], began)
    assert (written.found(), written.found(other)) == (EVERYWHERE, set())


def test_one_time_and_then_all_of_a_session_go_at_once(written):
    earlier, before = written.listed(), timezone.now()
    first, second = sorted(written.days())
    occurrence = str(earlier[1].occurrences[0].occurrence_id)
    written.send("delete-occurrence", occurrence)
    written.end_of_reading([earlier], before)
    assert written.days() == [second]
    assert first != second
    written.send("delete")
    written.end_of_reading([earlier], before)
    assert written.found() == set()


def test_what_cannot_be_read_after_change_is_read_by_worker(faulty, fault_server):
    details = {"id": 81234567890, "topic": "Before", "type": 2, "host_id": "h", "duration": 30}
    mirror.put(faulty, "meetings", MeetingDetails.model_validate(details))
    session = read_from(fault_server, faulty, details)

    def broken_after_the_write(seen):
        if seen.method == "PATCH":
            return answer(204)
        is_written = any(one.method == "PATCH" for one in fault_server.requests)
        return reset() if is_written else answer(200, details)

    fault_server.always(depending(broken_after_the_write))
    planning.change(
        api_for(scope_of(faulty.owner, faulty)), faulty, session, MEETINGS.change(topic="After")
    )
    waiting = SessionToRead.objects.get(connection=faulty)
    assert (waiting.kind, waiting.session_id) == ("meetings", "81234567890")
    fault_server.always(answer(200, {**details, "topic": "After"}))
    reread(faulty.pk)
    assert [row.topic for row in mirror.find(whole(faulty), SessionFilter())] == ["After"]


def read_from(server, connection, details):
    server.always(answer(200, details))
    return read(api_for(whole(connection)), whole(connection), MEETINGS, str(details["id"]))


def test_the_sessions_of_somebody_who_is_removed_go_with_them(written):
    earlier, before = written.listed(), timezone.now()
    connection = written.planner.connection
    how = UserRemoval(action=RemovalAction.DELETE)
    removal.remove(written.api, connection, written.host.id, how)
    written.end_of_reading([earlier], before)
    assert written.found() == set()
