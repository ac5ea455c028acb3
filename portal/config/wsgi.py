"""The portal as a WSGI application, which `asgi.py` hands to granian."""

import gc
import os
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

from portal.config.data_stack import with_room
from portal.config.environment import is_loopback
from portal.config.starting import check_static_files

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.config.settings")

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
_REFUSED = b"The demonstration answers this machine alone.\n"


def for_this_machine(application: Application) -> Application:
    """Refuses requests from other machines, whatever address the server listens on."""

    def serve(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if is_loopback(environ.get("REMOTE_ADDR", "")):
            return application(environ, start_response)
        headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(_REFUSED)))]
        start_response("403 Forbidden", headers)
        return [_REFUSED]

    return serve


class Request(WSGIRequest):
    """Request that is freed when its answer has been sent.

    Many of its attributes refer back to it: the signed-in user, messages, `htmx`, `api`. It would
    wait for the garbage collector with hundreds of others, and memory that is freed late, among
    newer objects, does not go back to the system.
    """

    def close(self) -> None:
        super().close()
        self.__dict__.clear()


_handler = get_wsgi_application()
_handler.request_class = Request
application: Application = with_room(_handler)
check_static_files()
if settings.DEMO:
    application = for_this_machine(application)
# All that is loaded by now stays. The objects of requests are few beside it, and are collected
# often, so that their memory goes back to the system before newer objects surround it.
gc.collect()
gc.freeze()
gc.set_threshold(5_000, 10, 10)
