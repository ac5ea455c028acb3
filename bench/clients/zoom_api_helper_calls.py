"""Calls of zoom-api-helper."""

import os
from tempfile import mkdtemp

import requests
from calling import Calls, lead_here

calls = Calls()
lead_here(requests.Session, calls.site)
os.environ["CACHE_DIR"] = mkdtemp()  # where it keeps the token, and the people

from zoom_api_helper import ZoomAPI  # noqa: E402 - which reads that at once
from zoom_api_helper.models import Meeting  # noqa: E402

client = ZoomAPI("app", calls.token, "A1")
everybody = client.list_users()["users"]
known = sum(1 for _person in calls.every("/users", "users", status="active"))

calls.run("list_users: all pages", lambda: len(everybody) == known)
calls.run("user_email_to_id", client.user_email_to_id)
plan = {"topic": "Plan", "start_time": "2030-01-07T10:00:00", "type": Meeting.SCHEDULED}
calls.run("create_meeting", lambda: client.create_meeting(**plan))
host = everybody[0]["email"]
calls.run("create_meeting: host", lambda: client.create_meeting(host_email=host, **plan))
