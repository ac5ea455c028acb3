"""Calls of pyzooms2s: those about people. Its phones are outside the interface."""

import requests
from calling import Calls, lead_here
from pyzooms2s import ZoomClient

calls = Calls()
lead_here(requests.Session, calls.site)
client = ZoomClient("A1", "app", calls.token)
person = calls.person()

calls.run("getUser", lambda: client.getUser(person))
calls.run("updateUser", lambda: client.updateUser(person, {"dept": "Sales"}))
calls.run("getUserSettings", lambda: client.getUserSettings(person))
chat = {"in_meeting": {"chat": True}}
calls.run("updateUserSettings", lambda: client.updateUserSettings(person, chat))
