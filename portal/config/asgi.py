"""The ASGI application that granian serves."""

from django.conf import settings

from portal.config.front import Front
from portal.config.wsgi import application as portal

application = Front(portal, settings.WEB_THREADS, settings.SESSION_COOKIE_NAME)
