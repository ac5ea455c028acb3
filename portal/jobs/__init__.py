"""Long work: a job and its items in the database, carried by Celery, watched in the browser.

Celery may lose every message: the state is in the database, and a sweep sends another message. An
item is `sending`, committed, before its request leaves; if its outcome is unknown, the service is
asked, and nothing is sent again blindly. The `JobType` of a domain declares the work of a job.
"""
