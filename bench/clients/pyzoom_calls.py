"""Calls of pyzoom."""

from functools import partial

import requests
from calling import ANN, Calls, lead_here
from pyzoom import ZoomClient, refresh_tokens, request_tokens
from pyzoom.schemas import MeetingRegistrantShort, ZoomMeetingSettings

calls = Calls()
lead_here(requests.Session, calls.site)
client = ZoomClient(calls.token, base_url=calls.url)
plan = {"start_time": "2030-01-07T10:00:00", "duration_min": 30}
settings = ZoomMeetingSettings.default_settings()
open_meeting = calls.meeting()
past = calls.past()["uuid"]

meetings, run = client.meetings, calls.run
run("list_meetings", meetings.list_meetings)
run("get_meeting", partial(meetings.get_meeting, open_meeting))
run("create_meeting", partial(meetings.create_meeting, "Plan", **plan))
run("create_meeting: settings", partial(meetings.create_meeting, "P", settings=settings, **plan))
changed = partial(meetings.update_meeting, "Other", meeting_id=calls.meeting(), **plan)
run("update_meeting", changed)
run("delete_meeting", partial(meetings.delete_meeting, calls.meeting()))
person = {**ANN, "email": calls.email()}
run("add_meeting_registrant", partial(meetings.add_meeting_registrant, open_meeting, **person))
person = {**ANN, "email": calls.email()}
run("add_and_confirm", partial(meetings.add_and_confirm_registrant, open_meeting, **person))
run("list_meeting_registrants", partial(meetings.list_meeting_registrants, open_meeting))
for name in ("approve_registration", "cancel_registration"):
    one = calls.registrant("meetings", open_meeting)
    known = {"registrant_id": one["id"], "email": one["email"]}
    run(name, partial(getattr(meetings, name), open_meeting, **known))
denied = [MeetingRegistrantShort(**calls.registrant("meetings", open_meeting))]
update = partial(meetings.update_meeting_registrant_status, action="deny", registrants=denied)
run("update_meeting_registrant_status", partial(update, open_meeting))
run("past_meeting_participants", partial(meetings.past_meeting_participants, past))
run("get_users", partial(client.users.get_users, "active"))
run("delete_user", partial(client.users.delete_user, calls.person()))
run("request_tokens", partial(request_tokens, "app", calls.token, "http://localhost", "code"))
refresh = calls.refresh_token()
run("refresh_tokens", partial(refresh_tokens, "app", calls.token, refresh))
