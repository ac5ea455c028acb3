"""Types of what the interface has once for meetings and once for webinars."""

from portal.contract.meetings import MeetingDetails, Meetings
from portal.contract.polls import MeetingPolls, WebinarPolls
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.contract.webinars import WebinarDetails, Webinars

SessionFamily = type[Meetings] | type[Webinars]
RegistrantFamily = type[MeetingRegistrants] | type[WebinarRegistrants]
SessionPolls = MeetingPolls | WebinarPolls
PollFamily = type[MeetingPolls] | type[WebinarPolls]
PlannedSession = MeetingDetails | WebinarDetails
