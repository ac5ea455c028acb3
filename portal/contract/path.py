"""The ids in paths: what each names, and its type (spec 2.1)."""

from dataclasses import dataclass
from urllib.parse import quote, unquote

from portal.contract.words import gettext

Id = str | int

_INT64 = 2**63


class NotAnId(ValueError):
    """A path parameter that no object can have, such as `..`, which would address another path."""


@dataclass(frozen=True)
class PathParameter:
    """A part of a path that names an object."""

    name: str
    description: str
    kind: type[str] | type[int] = str

    def check(self, value: Id) -> Id:
        """Returns the id in its type; a number may come as its digits.

        Raises `NotAnId` for an empty id, dots alone, and what should be a number and is none.
        """
        text = str(value)
        if self.kind is str:
            is_unicode = not any("\ud800" <= char <= "\udfff" for char in text)
            if not text.strip(".") or not is_unicode:
                raise NotAnId(gettext("%(text)r is not an id.") % {"text": text[:40]})
            return text
        digits = text.lstrip("0")[:20] or "0"
        if not (text.isascii() and text.isdigit() and int(digits) < _INT64):
            raise NotAnId(gettext("%(text)r is not a number.") % {"text": text[:40]})
        return int(digits)


def encoded(value: Id) -> str:
    """Returns an id as it stands in a path: percent-encoded, twice if it holds a slash."""
    once = quote(str(value), safe="")
    return quote(once, safe="") if "/" in str(value) else once


def decoded(segment: str) -> str:
    """Returns an id as it was before it was encoded."""
    once = unquote(segment)
    return unquote(once) if "%2F" in once else once


_ALL = (
    PathParameter("accountId", "Account ID."),
    PathParameter("deviceId", "H.323 or SIP device ID."),
    PathParameter("groupId", "Group or IM group ID."),
    PathParameter("memberId", "Group member ID."),
    PathParameter("meetingId", "Meeting ID.", int),
    PathParameter("meetingUUID", "Meeting UUID; one that holds a slash is encoded twice."),
    PathParameter("webinarId", "Webinar ID.", int),
    PathParameter("participantId", "Participant ID."),
    PathParameter("recordingId", "Recording file ID."),
    PathParameter("sessionId", "IM chat session ID."),
    PathParameter("tspId", "TSP account index."),
    PathParameter("userId", "User ID or email address."),
    PathParameter("webhookId", "Webhook ID."),
    PathParameter("confroomId", "Conference room ID."),
    PathParameter("pollId", "Poll ID."),
    PathParameter("fieldId", "Tracking field ID."),
    PathParameter("panelistId", "Panelist ID.", int),
    PathParameter("assistantId", "Assistant ID."),
    PathParameter("schedulerId", "Scheduler ID."),
)
PATH_PARAMETERS = {parameter.name: parameter for parameter in _ALL}

# Recordings, dashboards and reports also take a UUID, which names one instance.
MEETING_OR_UUID = PathParameter(
    "meetingId",
    "Meeting ID or UUID. An ID selects the last instance; a UUID that holds a slash is encoded "
    "twice.",
)
WEBINAR_OR_UUID = PathParameter(
    "webinarId",
    "Webinar ID or UUID. An ID selects the last instance; a UUID that holds a slash is encoded "
    "twice.",
)
