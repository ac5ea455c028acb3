"""Calls of basic-zoom."""

import requests
from basic_zoom.base import ZoomAPIClient
from calling import Calls, lead_here

calls = Calls()
lead_here(requests.Session, calls.site)
client = ZoomAPIClient("A1", "app", calls.token)
known = sum(1 for _person in calls.every("/users", "users"))
plan = {"topic": "Plan", "type": 2, "start_time": "2030-01-07T10:00:00", "duration": 30}
meeting = calls.meeting()

calls.run("get: all pages", lambda: len(client.get("/users")["users"]) == known)
calls.run("post", lambda: client.post("/users/me/meetings", plan))
calls.run("patch", lambda: client.patch(f"/meetings/{meeting}", data={"topic": "Other"}))
calls.run("put", lambda: client.put(f"/meetings/{meeting}/status", data={"action": "end"}))
calls.run("delete", lambda: client.delete(f"/meetings/{meeting}"))
