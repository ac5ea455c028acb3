"""Polls of meetings and webinars (spec 2.7, 4.5 and 4.6)."""

from pydantic import Field

from portal.contract.choices import TextChoice
from portal.contract.inverse import Deletes, Recreates, Restores
from portal.contract.methods import DELETE, GET, POST, PUT
from portal.contract.model import Model, unset
from portal.contract.operation import Family
from portal.contract.reading import Count


class QuestionType(TextChoice):
    SINGLE = "single", "One answer"
    MULTIPLE = "multiple", "Several answers"


class PollStatus(TextChoice):
    NOT_STARTED = "notstart", "Not started"
    STARTED = "started", "Started"
    ENDED = "ended", "Ended"
    SHARING = "sharing", "Results shared"


class PollQuestion(Model):
    name: str | None = unset("Question", "What is asked.")
    type: QuestionType | None = unset("Answers allowed", "Whether one or several can be chosen.")
    answers: list[str] | None = unset("Answers", "What can be chosen.")


class Poll(Model):
    """Questions that the host can put to participants."""

    title: str | None = unset("Title", "What the host picks the poll by.")
    questions: list[PollQuestion] | None = unset("Questions", "What participants are asked.")


class PollDetails(Poll):
    """A poll as the service reports it."""

    id: str = Field(title="Poll ID")
    status: PollStatus | None = Field(None, title="Status")


class PollList(Model):
    polls: list[PollDetails] = Field(title="Polls")
    total_records: Count = Field(None, title="Polls in all")


class MeetingPolls(Family, name="meeting_polls"):
    """Polls of meetings."""

    list = GET("/meetings/{meetingId}/polls", "List a meeting's polls", returns=PollList)
    create = POST(
        "/meetings/{meetingId}/polls",
        "Add a poll to a meeting",
        body=Poll,
        returns=PollDetails,
        locates=True,
        inverse=Deletes("meeting_polls.delete"),
    )
    get = GET("/meetings/{meetingId}/polls/{pollId}", "Read a meeting's poll", returns=PollDetails)
    update = PUT(
        "/meetings/{meetingId}/polls/{pollId}",
        "Change a meeting's poll",
        body=Poll,
        before=get,
        inverse=Restores(),
    )
    delete = DELETE(
        "/meetings/{meetingId}/polls/{pollId}",
        "Delete a meeting's poll",
        before=get,
        inverse=Recreates("meeting_polls.create", "It gets a new ID."),
    )


class WebinarPolls(Family, name="webinar_polls"):
    """Polls of webinars."""

    list = GET("/webinars/{webinarId}/polls", "List a webinar's polls", returns=PollList)
    create = POST(
        "/webinars/{webinarId}/polls",
        "Add a poll to a webinar",
        body=Poll,
        returns=PollDetails,
        locates=True,
        inverse=Deletes("webinar_polls.delete"),
    )
    get = GET("/webinars/{webinarId}/polls/{pollId}", "Read a webinar's poll", returns=PollDetails)
    update = PUT(
        "/webinars/{webinarId}/polls/{pollId}",
        "Change a webinar's poll",
        body=Poll,
        before=get,
        inverse=Restores(),
    )
    delete = DELETE(
        "/webinars/{webinarId}/polls/{pollId}",
        "Delete a webinar's poll",
        before=get,
        inverse=Recreates("webinar_polls.create", "It gets a new ID."),
    )
