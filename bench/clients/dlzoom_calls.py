"""Calls of dlzoom's client."""

from calling import Calls
from dlzoom.zoom_client import ZoomClient

calls = Calls()
recorded = next(calls.recordings())
past = calls.past(with_slash=True)["uuid"]
days = {"from_date": recorded["start_time"][:10], "to_date": recorded["start_time"][:10]}
token_url = f"{calls.site}/oauth/token"
client = ZoomClient("A1", "app", calls.token, base_url=calls.url, token_url=token_url)

calls.run("get_current_user", client.get_current_user)
calls.run("get_meeting", lambda: client.get_meeting(str(calls.meeting())))
calls.run("get_meeting_recordings", lambda: client.get_meeting_recordings(recorded["uuid"]))
calls.run("get_user_recordings", lambda: client.get_user_recordings("me", **days))
calls.run("get_account_recordings", lambda: client.get_account_recordings(**days))
calls.run("get_past_meeting", lambda: client.get_past_meeting(past))
calls.run("get_all_participants", lambda: client.get_all_participants(past))
