"""Calls of zoom-python."""

from functools import partial

import requests
from calling import Calls, lead_here
from zoom.client import Client

calls = Calls()
lead_here(requests.Session, calls.site)
client, run = Client("app", calls.token, "http://localhost"), calls.run
plan = {"topic": "Plan", "duration": 30, "start_time": "2030-01-07T10:00:00"}
weekly = {"type": 2, "repeat_interval": 1, "weekly_days": "2,4", "end_times": 4}
settings = {"approval_type": 0, "breakout_room": {"enable": False}, "contact_name": "Ann"}
ann = {"email": calls.email(), "first_name": "Ann"}
meeting, webinar = calls.meeting(), calls.webinar()

run("get_access_token", partial(client.get_access_token, "code", "verifier"))
run("refresh_access_token", partial(client.refresh_access_token, calls.refresh_token()))
client.headers["Content-Type"] = "application/json"
client.set_token(calls.token)
run("get_current_user", client.get_current_user)
run("list_users", client.list_users)
run("list_meetings", client.list_meetings)
run("get_meeting", partial(client.get_meeting, meeting))
run("create_meeting", partial(client.create_meeting, **plan, default_password=True))
run("create_meeting: weekly", partial(client.create_meeting, **plan, type=8, recurrence=weekly))
run("create_meeting: settings", partial(client.create_meeting, **plan, settings=settings))
run("add_meeting_registrant", partial(client.add_meeting_registrant, meeting, **ann))
more = {"last_name": "Lee", "language": "de-DE", "auto_approve": True, "email": calls.email()}
run("add_meeting_registrant: more", partial(client.add_meeting_registrant, meeting, **ann | more))
run("add_webinar_registrant", partial(client.add_webinar_registrant, webinar, **ann))
run("add_webinar_registrant: more", partial(client.add_webinar_registrant, webinar, **ann | more))
