"""Read by mypy, never run: what calls take and return."""

from typing import assert_type

from portal.client import Api
from portal.contract.dashboards import SessionMetric
from portal.contract.meetings import MeetingDetails, NewMeeting
from portal.contract.paging import NumberedDaysQuery
from portal.contract.recordings import RecordedMeeting, RecordingsQuery
from portal.contract.registrants import (
    AddedRegistrant,
    NewRegistrantQuery,
    Registrant,
    RegistrantDetails,
)
from portal.contract.users import (
    CreatedUser,
    NewUser,
    Picture,
    User,
    UserDetails,
    UserPage,
    UserQuery,
    UserRemoval,
    UserUpdate,
)


def calls_return_what_the_document_says(api: Api, new: NewUser, query: RecordingsQuery) -> None:
    assert_type(api.users.create(new), CreatedUser)
    assert_type(api.users.get("u1"), UserDetails)
    assert_type(api.users.list(), UserPage)
    assert_type(api.users.list(UserQuery()), UserPage)
    for user in api.users.list.all(UserQuery()):
        assert_type(user, User)
    for page in api.users.list.pages():
        assert_type(page, UserPage)
    for meeting in api.recordings.of_user.all("u1", query):
        assert_type(meeting, RecordedMeeting)


def calls_take_a_query_and_a_body(
    api: Api, registrant: Registrant, days: NumberedDaysQuery
) -> None:
    assert_type(api.meetings.create("u1", NewMeeting()), MeetingDetails)
    added = api.meeting_registrants.add(1, NewRegistrantQuery(occurrence_ids="1"), registrant)
    assert_type(added, AddedRegistrant)
    assert_type(api.webinar_registrants.add("1", registrant), AddedRegistrant)
    for found in api.webinar_registrants.list.all(1):
        assert_type(found, RegistrantDetails)
    for meeting in api.metrics.room.all("r1", days):
        assert_type(meeting, SessionMetric)


def calls_without_an_answer_return_nothing(api: Api) -> None:
    api.users.update("u1", UserUpdate())
    api.users.delete("u1", UserRemoval())
    assert_type(api.users.upload_picture("u1", Picture(pic_file=b"")), None)


def calls_take_only_their_own_models(api: Api, new: NewUser) -> None:
    api.users.create(UserUpdate())  # type: ignore[arg-type]
    api.users.update("u1", new)  # type: ignore[arg-type]
    api.users.get("u1", UserRemoval())  # type: ignore[arg-type]
    api.users.permissions("u1", new)  # type: ignore[arg-type]
    api.users.no_such_operation()  # type: ignore[attr-defined]
