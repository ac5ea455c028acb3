"""What the first page says of storage: that it runs out, as it was when it was last read."""

from collections.abc import Iterator
from datetime import timedelta

from django.urls import reverse
from django.utils import dateformat, timezone

from portal.access.models import Connection, User
from portal.contract.recordings import Recordings
from portal.contract.reports import Reports
from portal.recordings.models import StorageReading
from portal.ui.home import HomeItem, HomeLine, NothingKnown

_SOON = timedelta(days=30)
_MUCH = 0.9  # of what the plan includes


def _read(_user: User, connection: Connection) -> Iterator[HomeLine]:
    known = StorageReading.objects.filter(connection=connection).first()
    if known is None or not known.allowed:
        raise NothingKnown
    url = reverse("recordings:storage", args=[connection.key])
    why = f"{known.used:,.1f} of {known.allowed:,.1f} GB are used."
    if known.used >= known.allowed:
        yield HomeLine("bad", "Recording storage is full", url, why, as_of=known.read_at)
    elif known.full_on and known.full_on <= timezone.localdate() + _SOON:
        day = dateformat.format(known.full_on, "j F Y")
        words = f"Recording storage will be full on {day}"
        yield HomeLine("warning", words, url, why, as_of=known.read_at)
    elif known.used >= _MUCH * known.allowed:
        words = f"Recording storage is {100 * known.used / known.allowed:.0f} % full"
        yield HomeLine("warning", words, url, why, as_of=known.read_at)


STORAGE = HomeItem("Storage", 55, _read, needs=(Recordings.of_user, Reports.cloud_recording))
