"""Scenarios of the past: past sessions, dashboards, reports and the chat archive."""

from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest

from portal.client import Api, Invalid, NotFound
from portal.contract.chat import Chat
from portal.contract.dashboards import (
    DetailQuery,
    DetailShown,
    DetailsQuery,
    MeetingParticipantsQuery,
    MeetingQuery,
    QualityQuery,
    SessionMetric,
    SessionsQuery,
    SessionsShown,
)
from portal.contract.metrics import Metrics
from portal.contract.paging import Days, NumberedDaysQuery, NumberedQuery, TokenDaysQuery
from portal.contract.past_sessions import PastMeetings, PastWebinars
from portal.contract.reports import Reports
from portal.contract.usage import (
    HostActivity,
    HostsQuery,
    MonthQuery,
    StorageQuery,
    TelephoneQuery,
)
from tests.support.scenarios.people import person, shows

T = TypeVar("T")
TODAY = datetime.now(UTC).date()
EARLIER = TODAY - timedelta(days=175)
HALF_A_YEAR = TokenDaysQuery(from_=EARLIER, to=TODAY)
PAST, LIVE = SessionsShown.PAST, SessionsShown.LIVE


def dashboard(which: SessionsShown) -> SessionsQuery:
    return SessionsQuery(from_=EARLIER, to=TODAY, type=which, page_size=100)


def largest(sessions: list[SessionMetric]) -> SessionMetric:
    return max(sessions, key=lambda each: each.participants or 0)


def meeting(api: Api, which: SessionsShown = PAST) -> SessionMetric:
    return largest(api.metrics.meetings(dashboard(which)).meetings)


def webinar(api: Api, which: SessionsShown = PAST) -> SessionMetric:
    return largest(api.metrics.webinars(dashboard(which)).webinars)


def each_once(records: list[T], keys: list[object]) -> list[T]:
    assert records
    assert len(set(keys)) == len(records)
    return records


@shows(PastMeetings.instances, PastMeetings.get, PastMeetings.participants)
def _past_meetings_are_reported(api: Api) -> None:
    held = meeting(api)
    answer = api.past_meetings.get(held.uuid)
    assert (answer.uuid, answer.id, answer.topic) == (held.uuid, held.id, held.topic)
    times = api.past_meetings.instances(held.id or 0).meetings
    assert held.uuid in {each.uuid for each in times}
    people = list(api.past_meetings.participants.all(held.uuid))
    each_once(people, [each.id for each in people])
    assert len(people) == answer.participants_count


@shows(PastWebinars.instances)
def _past_webinars_are_reported(api: Api) -> None:
    held = webinar(api)
    times = api.past_webinars.instances(held.id or 0).webinars
    assert held.uuid in {each.uuid for each in times}


@shows(Metrics.meetings, Metrics.meeting)
def _meetings_are_on_the_dashboard(api: Api) -> None:
    for which in (PAST, LIVE, SessionsShown.PAST_ONE):
        found = list(api.metrics.meetings.all(dashboard(which)))
        each_once(found, [each.uuid for each in found])
        last = found[-1]
        assert api.metrics.meeting(last.uuid, MeetingQuery(type=which)) == last
        assert (last.end_time is None) == (which is LIVE)


@shows(Metrics.webinars, Metrics.webinar)
def _webinars_are_on_the_dashboard(api: Api) -> None:
    for which, part in ((PAST, DetailShown.PAST), (LIVE, DetailShown.LIVE)):
        found = list(api.metrics.webinars.all(dashboard(which)))
        each_once(found, [each.uuid for each in found])
        assert api.metrics.webinar(found[-1].uuid, DetailQuery(type=part)) == found[-1]


@shows(
    Metrics.meeting_participants,
    Metrics.meeting_qualities,
    Metrics.meeting_quality,
    Metrics.meeting_sharing,
)
def _participants_of_meetings_are_reported(api: Api) -> None:
    held = meeting(api)
    asked = MeetingParticipantsQuery(type=PAST, page_size=2)
    people = list(api.metrics.meeting_participants.all(held.uuid, asked))
    each_once(people, [each.id for each in people])
    quality = list(
        api.metrics.meeting_qualities.all(held.uuid, QualityQuery(type=DetailShown.PAST))
    )
    assert [each.user_id for each in quality] == [each.user_id for each in people]
    one = api.metrics.meeting_quality(held.uuid, people[0].id, DetailQuery(type=DetailShown.PAST))
    assert one == quality[0]
    assert one.samples[0].audio_input
    shared = [each for each in people if each.share_desktop or each.share_application]
    showed = list(
        api.metrics.meeting_sharing.all(held.uuid, DetailsQuery(type=DetailShown.PAST, page_size=1))
    )
    assert {each.id for each in shared} <= {each.id for each in showed}


@shows(
    Metrics.webinar_participants,
    Metrics.webinar_qualities,
    Metrics.webinar_quality,
    Metrics.webinar_sharing,
)
def _participants_of_webinars_are_reported(api: Api) -> None:
    held = webinar(api, LIVE)
    people = list(api.metrics.webinar_participants.all(held.uuid, DetailsQuery(page_size=7)))
    each_once(people, [each.id for each in people])
    quality = list(api.metrics.webinar_qualities.all(held.uuid, QualityQuery(page_size=10)))
    assert [each.user_id for each in quality] == [each.user_id for each in people]
    assert api.metrics.webinar_quality(held.uuid, people[0].id).user_id == people[0].user_id
    showed = list(api.metrics.webinar_sharing.all(held.uuid))
    assert {each.id for each in showed} <= {each.id for each in people}


@shows(Metrics.rooms, Metrics.room)
def _rooms_report_their_meetings(api: Api) -> None:
    rooms = list(api.metrics.rooms.all(NumberedQuery(page_size=1)))
    each_once(rooms, [each.id for each in rooms])
    days = NumberedDaysQuery(from_=EARLIER, to=TODAY, page_size=2)
    held = list(api.metrics.room.all(rooms[0].id, days))
    each_once(held, [each.uuid for each in held])
    assert api.metrics.room(rooms[0].id, days).room_name == rooms[0].room_name


@shows(Metrics.ports)
def _ports_are_counted_by_the_hour(api: Api) -> None:
    days = api.metrics.ports(Days(from_=EARLIER, to=TODAY)).crc_ports_usage
    assert len(days) == (TODAY - EARLIER).days + 1
    assert any(hour.max_usage for day in days for hour in day.crc_ports_hour_usage)


@shows(Metrics.im)
def _instant_messages_are_counted(api: Api) -> None:
    people = list(api.metrics.im.all(HALF_A_YEAR))
    each_once(people, [each.user_id for each in people])
    assert all(each.total_send for each in people)


@shows(Chat.sessions, Chat.messages)
def _conversations_are_archived(api: Api) -> None:
    sessions = list(api.chat.sessions.all(HALF_A_YEAR))
    each_once(sessions, [each.session_id for each in sessions])
    messages = list(api.chat.messages.all(sessions[0].session_id, HALF_A_YEAR))
    assert messages[-1].date_time == sessions[0].last_message_sent_time


@shows(Reports.meeting, Reports.meeting_participants, Reports.meeting_polls)
def _meetings_are_reported(api: Api) -> None:
    held = meeting(api)
    report = api.reports.meeting(held.uuid)
    assert (report.id, report.end_time) == (held.id, held.end_time)
    people = list(api.reports.meeting_participants.all(held.uuid))
    assert len(people) == report.participants_count
    assert api.reports.meeting_polls(held.uuid).uuid == held.uuid


@shows(
    Reports.webinar,
    Reports.webinar_participants,
    Reports.webinar_polls,
    Reports.webinar_questions,
)
def _webinars_are_reported(api: Api) -> None:
    held = webinar(api)
    report = api.reports.webinar(held.uuid)
    people = list(api.reports.webinar_participants.all(held.uuid))
    assert len(people) == report.participants_count
    names = {each.name for each in people}
    assert {each.name for each in api.reports.webinar_polls(held.uuid).questions} <= names
    assert {each.name for each in api.reports.webinar_questions(held.uuid).questions} <= names


@shows(Reports.daily)
def _days_are_reported(api: Api) -> None:
    last = TODAY.replace(day=1) - timedelta(days=1)
    days = api.reports.daily(MonthQuery(year=last.year, month=last.month)).dates
    assert len(days) == last.day
    assert sum(each.meetings or 0 for each in days) > 0


@shows(Reports.cloud_recording)
def _storage_is_reported_for_half_a_year(api: Api) -> None:
    asked = StorageQuery(from_=TODAY - timedelta(days=30), to=TODAY)
    assert len(api.reports.cloud_recording(asked).cloud_recording_storage) == 31
    long_ago = TODAY - timedelta(days=200)
    with pytest.raises(Invalid) as refused:
        api.reports.cloud_recording(StorageQuery(from_=long_ago, to=long_ago))
    assert refused.value.status == 300


@shows(Reports.telephone)
def _calls_are_reported(api: Api) -> None:
    asked = TelephoneQuery(from_=EARLIER, to=TODAY, page_size=20)
    calls = list(api.reports.telephone.all(asked))
    assert len(calls) == api.reports.telephone(asked).total_records
    assert all(call.total for call in calls)


@shows(Reports.users, Reports.user_meetings)
def _hosts_are_reported(api: Api) -> None:
    hosts = list(api.reports.users.all(HostsQuery(from_=EARLIER, to=TODAY, page_size=10)))
    each_once(hosts, [each.id for each in hosts])
    held = list(api.reports.user_meetings.all(hosts[0].id, HALF_A_YEAR))
    assert len(held) == hosts[0].meetings
    idle = HostsQuery(from_=EARLIER, to=TODAY, type=HostActivity.INACTIVE)
    assert person(api).id in {each.id for each in api.reports.users.all(idle)}
    with pytest.raises(NotFound):
        api.reports.user_meetings("nobody", HALF_A_YEAR)
