"""Scenarios of the operations on meetings, webinars and recordings."""

from datetime import UTC, date, datetime, timedelta

from portal.client import Api, NotFound
from portal.contract.meetings import (
    LiveStreamAction,
    MeetingDetails,
    MeetingListType,
    MeetingLiveStream,
    MeetingLiveStreamStatus,
    Meetings,
    MeetingSettings as Settings,
    MeetingsQuery,
    MeetingType,
    MeetingUpdate,
    NewMeeting,
)
from portal.contract.polls import MeetingPolls, Poll, PollQuestion, QuestionType, WebinarPolls
from portal.contract.problems import PersonReference
from portal.contract.recordings import (
    RecordedMeeting,
    RecordingAction,
    RecordingRemoval,
    RecordingRemovalQuery,
    Recordings,
    RecordingSettings,
    RecordingsQuery,
    RecordingStatusChange,
)
from portal.contract.recurrence import Recurrence, RecurrenceType
from portal.contract.registrants import (
    MeetingRegistrants,
    NewRegistrantQuery,
    Registrant,
    RegistrantAction,
    RegistrantsQuery,
    RegistrantStatus,
    RegistrantStatusChange,
    WebinarRegistrants,
)
from portal.contract.sessions import (
    ApprovalType,
    OccurrenceQuery,
    RegistrationType,
    SessionAction,
    SessionStatusChange,
)
from portal.contract.webinars import (
    NewPanelists,
    NewWebinar,
    Panelist,
    Panelists,
    WebinarDetails,
    Webinars,
    WebinarSettings,
    WebinarType,
    WebinarUpdate,
)
from tests.support.scenarios.people import person, shows

START = datetime(2038, 3, 26, 8, tzinfo=UTC)
EACH_DAY = Recurrence(type=RecurrenceType.DAILY, end_times=3)
LUNCH = Poll(
    title="Lunch",
    questions=[PollQuestion(name="When?", type=QuestionType.SINGLE, answers=["Noon", "One"])],
)
END = SessionStatusChange(action=SessionAction.END)


def meeting(api: Api) -> MeetingDetails:
    """A daily one, for whose occurrences one registers, once the host agrees."""
    settings = Settings(
        approval_type=ApprovalType.MANUAL, registration_type=RegistrationType.FOR_EACH
    )
    planned = NewMeeting(
        topic="Stand-up",
        type=MeetingType.RECURRING_FIXED,
        start_time=START,
        timezone="Europe/Berlin",
        recurrence=EACH_DAY,
        settings=settings,
    )
    return api.meetings.create(person(api).id, planned)


def webinar(api: Api) -> WebinarDetails:
    """A daily one, for which everybody may register once."""
    planned = NewWebinar(
        topic="Tour",
        type=WebinarType.RECURRING_FIXED,
        start_time=START,
        timezone="Europe/Berlin",
        recurrence=EACH_DAY,
        settings=WebinarSettings(approval_type=ApprovalType.AUTOMATIC),
    )
    return api.webinars.create(person(api).id, planned)


def somebody(name: str) -> Registrant:
    return Registrant(email=f"{name}@mail.example", first_name=name.title(), last_name="Lee")


def occurrence(details: MeetingDetails | WebinarDetails, at: int) -> OccurrenceQuery:
    return OccurrenceQuery(occurrence_id=str(details.occurrences[at].occurrence_id))


@shows(Meetings.create, Meetings.get, Meetings.update, Meetings.delete)
def _meetings_are_planned_changed_and_deleted(api: Api) -> None:
    created = meeting(api)
    answer = api.meetings.get(created.id)
    hours = [each.start_time.hour for each in answer.occurrences if each.start_time]
    assert hours == [8, 8, 7]
    api.meetings.update(created.id, MeetingUpdate(agenda="Who needs help"))
    assert api.meetings.get(created.id) == answer.model_copy(update={"agenda": "Who needs help"})
    api.meetings.delete(created.id, occurrence(answer, 1))
    assert api.meetings.get(created.id).occurrences == [
        answer.occurrences[0],
        answer.occurrences[2],
    ]
    api.meetings.delete(created.id)
    try:
        api.meetings.get(created.id)
    except NotFound:
        return
    raise AssertionError("the meeting is still there")


@shows(Meetings.end)
def _meetings_run_until_they_are_ended(api: Api) -> None:
    host = person(api)
    live = MeetingsQuery(type=MeetingListType.LIVE)
    created = api.meetings.create(host.id, NewMeeting(type=MeetingType.INSTANT))
    assert [each.id for each in api.meetings.of_user.all(host.id, live)] == [created.id]
    api.meetings.end(created.id, END)
    assert list(api.meetings.of_user.all(host.id, live)) == []


@shows(Meetings.invitation, Meetings.update_livestream, Meetings.change_livestream_status)
def _meetings_are_streamed_and_the_invitation_says_where(api: Api) -> None:
    created = meeting(api)
    page = "https://video.example/watch"
    address = MeetingLiveStream(stream_url="rtmp://video.example", stream_key="k", page_url=page)
    api.meetings.update_livestream(created.id, address)
    for action in LiveStreamAction:
        api.meetings.change_livestream_status(created.id, MeetingLiveStreamStatus(action=action))
        text = api.meetings.invitation(created.id).invitation
        assert created.join_url in text
        assert (page in text) is (action is LiveStreamAction.START)


@shows(
    MeetingPolls.list,
    MeetingPolls.create,
    MeetingPolls.get,
    MeetingPolls.update,
    MeetingPolls.delete,
)
def _polls_of_meetings_come_and_go(api: Api) -> None:
    number = meeting(api).id
    created = api.meeting_polls.create(number, LUNCH)
    assert api.meeting_polls.get(number, created.id) == created
    api.meeting_polls.update(number, created.id, Poll(title="Dinner"))
    assert [each.title for each in api.meeting_polls.list(number).polls] == ["Dinner"]
    api.meeting_polls.delete(number, created.id)
    assert api.meeting_polls.list(number).polls == []


@shows(MeetingRegistrants.list, MeetingRegistrants.add, MeetingRegistrants.change_status)
def _people_register_for_meetings_and_are_let_in(api: Api) -> None:
    created = meeting(api)
    first = occurrence(created, 0)
    chosen = NewRegistrantQuery(occurrence_ids=first.occurrence_id)

    def registered(status: RegistrantStatus, at: int) -> list[str]:
        query = RegistrantsQuery(
            status=status, occurrence_id=occurrence(created, at).occurrence_id, page_size=1
        )
        return [each.id for each in api.meeting_registrants.list.all(created.id, query)]

    ann = api.meeting_registrants.add(created.id, chosen, somebody("ann")).registrant_id
    ben = api.meeting_registrants.add(created.id, somebody("ben")).registrant_id
    assert registered(RegistrantStatus.PENDING, 0) == [ann, ben]
    assert registered(RegistrantStatus.PENDING, 1) == [ben]
    change = RegistrantStatusChange(
        action=RegistrantAction.APPROVE, registrants=[PersonReference(email="ann@mail.example")]
    )
    api.meeting_registrants.change_status(created.id, first, change)
    assert registered(RegistrantStatus.APPROVED, 0) == [ann]


@shows(Webinars.create, Webinars.get, Webinars.update, Webinars.delete, Webinars.end)
def _webinars_are_planned_changed_ended_and_deleted(api: Api) -> None:
    created = webinar(api)
    answer = api.webinars.get(created.id)
    assert len(answer.occurrences) == 3
    api.webinars.update(created.id, WebinarUpdate(topic="New tour"))
    api.webinars.end(created.id, END)
    assert api.webinars.get(created.id) == answer.model_copy(update={"topic": "New tour"})
    api.webinars.delete(created.id, occurrence(answer, 0))
    assert len(api.webinars.get(created.id).occurrences) == 2
    api.webinars.delete(created.id)
    assert list(api.webinars.of_user.all(answer.host_id)) == []


@shows(Panelists.list, Panelists.add, Panelists.remove, Panelists.remove_all)
def _panelists_come_and_go(api: Api) -> None:
    number = webinar(api).id

    def emails() -> list[str]:
        return [each.email for each in api.panelists.list(number).panelists]

    named = [Panelist(email=f"{name}@mail.example", name=name) for name in ("ann", "ben", "cat")]
    added = api.panelists.add(number, NewPanelists(panelists=named))
    assert emails() == [each.email for each in named]
    api.panelists.remove(number, added.id)
    assert emails() == [each.email for each in named[1:]]
    api.panelists.remove_all(number)
    assert emails() == []


@shows(
    WebinarPolls.list,
    WebinarPolls.create,
    WebinarPolls.get,
    WebinarPolls.update,
    WebinarPolls.delete,
)
def _polls_of_webinars_come_and_go(api: Api) -> None:
    number = webinar(api).id
    created = api.webinar_polls.create(number, LUNCH)
    assert api.webinar_polls.get(number, created.id) == created
    api.webinar_polls.update(number, created.id, Poll(title="Dinner"))
    assert [each.title for each in api.webinar_polls.list(number).polls] == ["Dinner"]
    api.webinar_polls.delete(number, created.id)
    assert api.webinar_polls.list(number).polls == []


@shows(WebinarRegistrants.list, WebinarRegistrants.add, WebinarRegistrants.change_status)
def _people_register_for_webinars_and_are_sent_away(api: Api) -> None:
    number = webinar(api).id

    def registered(status: RegistrantStatus) -> list[str]:
        query = RegistrantsQuery(status=status)
        return [each.id for each in api.webinar_registrants.list.all(number, query)]

    ann = api.webinar_registrants.add(number, somebody("ann"))
    assert ann.join_url
    assert registered(RegistrantStatus.APPROVED) == [ann.registrant_id]
    named = [PersonReference(id=ann.registrant_id)]
    deny = RegistrantStatusChange(action=RegistrantAction.DENY, registrants=named)
    api.webinar_registrants.change_status(number, deny)
    assert registered(RegistrantStatus.DENIED) == [ann.registrant_id]
    cancel = RegistrantStatusChange(action=RegistrantAction.CANCEL, registrants=named)
    api.webinar_registrants.change_status(number, cancel)
    assert registered(RegistrantStatus.DENIED) == []


RECOVER = RecordingStatusChange(action=RecordingAction.RECOVER)
TO_THE_TRASH = RecordingRemovalQuery(action=RecordingRemoval.TRASH)


def recording(api: Api) -> RecordedMeeting:
    """One of the sample account with several files, none of them in the trash, and with a slash in
    its UUID."""
    today = date.today()
    days = {"from": today - timedelta(days=190), "to": today}
    query, trash = (RecordingsQuery(**days, trash=trash) for trash in (False, True))
    return next(
        each
        for user in api.users.list.all()
        for each in api.recordings.of_user.all(user.id, query)
        if len(each.recording_files) > 1
        and "/" in each.uuid
        and each.uuid not in {one.uuid for one in api.recordings.of_user.all(user.id, trash)}
    )


def is_kept(api: Api, uuid: str) -> bool:
    try:
        api.recordings.get(uuid)
    except NotFound:
        return False
    return True


@shows(
    Recordings.get,
    Recordings.delete,
    Recordings.recover,
    Recordings.delete_file,
    Recordings.recover_file,
)
def _recordings_are_trashed_and_recovered(api: Api) -> None:
    data = recording(api)
    uuid, file = data.uuid, data.recording_files[0].id
    assert api.recordings.get(uuid) == data
    api.recordings.delete_file(uuid, file, TO_THE_TRASH)
    assert file not in {each.id for each in api.recordings.get(uuid).recording_files}
    api.recordings.recover_file(uuid, file, RECOVER)
    api.recordings.delete(uuid)
    assert not is_kept(api, uuid)
    api.recordings.recover(uuid, RECOVER)
    assert api.recordings.get(uuid) == data


@shows(Recordings.settings, Recordings.update_settings)
def _who_may_watch_is_changed_setting_by_setting(api: Api) -> None:
    uuid = recording(api).uuid
    before = api.recordings.settings(uuid)
    api.recordings.update_settings(uuid, RecordingSettings(on_demand=not before.on_demand))
    after = api.recordings.settings(uuid)
    assert after == before.model_copy(update={"on_demand": not before.on_demand})
