"""Calls of EasyZoom. Its start of a meeting has a space in it, which is refused."""

import requests
from calling import Calls, lead_here
from easy_zoom.client import Client

calls = Calls()
lead_here(requests.Session, calls.site)
client = Client("A1", "app", calls.token, date="2030-01-07", time="00:00")
calls.run("authenticate", client.authenticate)
calls.run("get_link", client.get_link)
