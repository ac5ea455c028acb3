"""Configuration and start of the program: settings, URLs, the web server, Celery, logs, cache.

It names the other rooms as Django's settings do, and imports none of them.
"""
