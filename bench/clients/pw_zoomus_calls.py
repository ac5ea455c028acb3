"""Calls of pw-zoomus. Of what it has for phones nothing is in the interface, nor tried."""

from datetime import UTC, datetime, timedelta
from functools import partial

import requests
from calling import ANN, Calls, lead_here
from pw_zoomus import ZoomClient

calls = Calls()
lead_here(requests.Session, calls.site)
client = ZoomClient("key", "secret")
client.config["token"] = calls.token
now = datetime.now(UTC)
days = {"from": str(now.date() - timedelta(days=28)), "to": str(now.date())}
times = {"start_time": now - timedelta(days=20), "end_time": now}
start = datetime(2030, 1, 7, 10, tzinfo=UTC)
meeting, webinar, person = calls.meeting(), calls.webinar(), calls.person()
held = calls.past()
past, slashed = held["uuid"], calls.past(with_slash=True)["uuid"]
live, participant = calls.live()
first, second, *_ = (each["uuid"] for each, _ in zip(calls.recordings(), range(2), strict=False))
weekly = {"type": 2, "repeat_interval": 1, "weekly_days": 2, "end_times": 4}
info = {"email": calls.email(), "type": 1, **ANN}
ann = {"email": calls.email(), **ANN}
approval = {"action": "approve", "registrants": [calls.registrant("webinars", webinar)]}

CALLS = [
    ("user.list", {}),
    ("user.list", {"status": "inactive", "page_size": 1000}),
    ("user.create", {"action": "custCreate", "user_info": info}),
    ("user.create", {"action": "custCreate", "user_info": {"type": 9}}),  # broken
    ("user.update", {"id": person, "dept": "Sales"}),
    ("user.update", {"id": person, "dept": None}),
    ("user.get", {"id": person}),
    ("user.get", {"id": "me"}),
    ("user.delete", {"id": person, "action": "delete"}),
    ("meeting.list", {"user_id": "me"}),
    ("meeting.list", {"user_id": "me", "type": "upcoming"}),
    ("meeting.create", {"user_id": "me", "topic": "Plan", "type": 2, "start_time": start}),
    ("meeting.create", {"user_id": "me", "topic": "P", "type": 8, "recurrence": weekly}),
    ("meeting.create", {"user_id": "me", "topic": "Plan", "type": 1, "settings": None}),
    ("meeting.create", {"user_id": "me", "topic": "Plan", "type": 7}),  # broken
    ("meeting.get", {"id": meeting}),
    ("meeting.update", {"id": meeting, "topic": "Other"}),
    ("meeting.update", {"id": meeting, "start_time": start, "settings": {"audio": None}}),
    ("meeting.delete", {"id": calls.meeting()}),
    ("webinar.list", {"user_id": "me"}),
    ("webinar.create", {"user_id": "me", "topic": "Tour"}),
    ("webinar.get", {"id": webinar}),
    ("webinar.update", {"id": webinar, "topic": "Guided tour"}),
    ("webinar.register", {"id": webinar, **ann}),
    ("webinar.get_registrants", {"id": webinar}),
    ("webinar.update_register", {"id": webinar, **approval}),
    ("webinar.get_absentees", {"id": webinar}),
    ("webinar.end", {"id": calls.webinar()}),  # sends `status`, where the interface has `action`
    ("webinar.delete", {"id": calls.webinar()}),
    ("recording.list", {"user_id": "me"}),
    ("recording.list", {"user_id": "me", "start": now - timedelta(days=20), "end": now}),
    ("recording.get", {"meeting_id": first}),
    ("recording.delete", {"meeting_id": second, "action": "trash"}),
    ("report.get_user_report", {"user_id": "me", **times}),
    ("report.get_account_report", times),
    ("report.get_daily_report", {"month": now.month, "year": now.year}),
    ("past_meeting.list", {"meeting_id": str(held["id"])}),
    ("past_meeting.get", {"meeting_id": past}),
    ("past_meeting.get", {"meeting_id": slashed}),
    ("past_meeting.get_participants", {"meeting_id": past}),
    ("metric.list_meetings", days),
    ("metric.get_meeting", {"meeting_id": past, "type": "past"}),
    ("metric.list_participants", {"meeting_id": past, "type": "past"}),
    ("metric.list_participants_qos", {"meeting_id": live}),
    ("metric.get_participant_qos", {"meeting_id": live, "participant_id": participant}),
]
for name, given in CALLS:
    component, method = name.split(".")
    calls.run(name, partial(getattr(client.components[component], method), **given))
