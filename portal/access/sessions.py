"""When a session began and was last used, in seconds since the epoch, under these keys of it."""

import time
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

BEGUN = "begun"
SEEN = "seen"


@receiver(user_logged_in)
def begin(request: HttpRequest, **_kwargs: Any) -> None:
    request.session[BEGUN] = request.session[SEEN] = int(time.time())
