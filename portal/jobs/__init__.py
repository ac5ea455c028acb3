"""Long work: a job and its items in the database, carried by Celery, watched in the browser.

Celery may lose every message: truth is in the database, and a sweep sends another. An item is
`sending`, committed, before its request leaves; where nobody knows what became of it, the service
is asked, and nothing is sent again blindly. What a job does is said by a `JobType` of a domain.
"""
