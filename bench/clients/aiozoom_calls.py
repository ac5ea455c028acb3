"""Calls of aiozoom."""

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any

from aiozoom import Zoom
from aiozoom.config import client as sender
from aiozoom.config.auth import Configuration
from calling import Calls

calls = Calls()
sender.base_url = calls.url
Configuration.configure(calls.token)
zoom = Zoom()
owner = calls.ask("GET", "/users/me")["email"]
past = calls.past()["uuid"]
first, second, *_ = (each for each, _ in zip(calls.recordings(), range(2), strict=False))


def run(name: str, call: Coroutine[Any, Any, Any]) -> None:
    calls.run(name, partial(asyncio.run, call))


plan = {"topic": "Plan", "type": 2, "start_time": "2030-01-07T10:00:00", "duration": 30}
run("create_meeting", zoom.create_meeting(owner, {**plan, "timezone": "Europe/Berlin"}))
run("create_meeting: no zone", zoom.create_meeting(owner, plan))
run("create_meeting: nulls", zoom.create_meeting(owner, {**plan, "agenda": None}))
run("create_meeting: broken", zoom.create_meeting(owner, {**plan, "type": "soon"}))
run("get_meeting", zoom.get_meeting(str(calls.meeting())))
run("update_meeting", zoom.update_meeting(str(calls.meeting()), {"topic": "Other"}))
run("stop_meeting", zoom.stop_meeting(str(calls.meeting())))
run("list_meetings", zoom.list_meetings(owner))
run("get_meeting_participants", zoom.get_meeting_participants(past))
run("get_meeting_info", zoom.get_meeting_info(past))
run("list_recordings", zoom.list_recordings(owner))
run("get_recording", zoom.get_recording(first["uuid"]))
file = first["recording_files"][0]["id"]
run("delete_recording_file", zoom.delete_recording_file(first["uuid"], file))
run("delete_all_recording_files", zoom.delete_all_recording_files(second["uuid"]))
