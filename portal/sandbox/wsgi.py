"""Makes the service's application, in a worker process or for any other WSGI server."""

from typing import TYPE_CHECKING

import django

from portal.sandbox.options import Options

if TYPE_CHECKING:
    from portal.sandbox.application import Application


def make_application() -> "Application":
    django.setup()
    from portal.sandbox.application import Application  # noqa: PLC0415 - models need the setup

    return Application(Options.from_environment())
