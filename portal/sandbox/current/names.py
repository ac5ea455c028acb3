"""Paths, fields and parameters that today's services name differently from the document.

Keys are the document's names. The portal has the same names in a dialect; a test compares the two.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pydantic import Field

from portal.contract.choices import TextChoice
from portal.contract.meetings import MeetingsQuery
from portal.contract.paging import NumberedQuery
from portal.contract.reports import Reports
from portal.contract.users import Users
from portal.contract.webhooks import Webhooks
from portal.sandbox.serving import Served


class MeetingListTypeToday(TextChoice):
    SCHEDULED = "scheduled", "Scheduled"
    LIVE = "live", "Live"
    UPCOMING = "upcoming", "Upcoming"
    UPCOMING_MEETINGS = "upcoming_meetings", "Upcoming"
    PREVIOUS_MEETINGS = "previous_meetings", "Previous"


class MeetingsQueryToday(NumberedQuery):
    """A query of meetings whose default is the scheduled ones, not those that run."""

    type: MeetingListTypeToday = Field(MeetingListTypeToday.SCHEDULED, title="Which meetings")


PATHS = {
    "/metrics/confrooms": "/metrics/zoomrooms",
    "/metrics/im": "/metrics/chat",
    "/v2/tracking_fields": "/tracking_fields",
    "/im/chat/sessions": "/report/chat/sessions",
}
_PLANS = {"plan_conf_rooms": "plan_zoom_rooms"}
_LIVE_STREAMS = {"workplace_by_partner": "workplace_by_facebook"}
_ACCOUNT = {
    **_LIVE_STREAMS,
    "allow_show_conf_windows": "allow_show_zoom_windows",
    "schedule_meting": "schedule_meeting",
}
_QUALITY = {f"conf_{which}_cpu_usage": f"zoom_{which}_cpu_usage" for which in ("min", "avg", "max")}
_SIGN_IN = {
    "enforce_login": "meeting_authentication",
    "enforce_login_domains": "authentication_domains",
}
# Operations that do not take the document's names any more; the others take both.
DROPPED = {"meetings.create": frozenset(_SIGN_IN)}
KEYS = {
    **dict.fromkeys(
        (
            f"{kind}.{operation}"
            for kind in ("meetings", "webinars")
            for operation in ("create", "get", "update")
        ),
        _SIGN_IN,
    ),
    **dict.fromkeys(("accounts.settings", "accounts.update_settings"), _ACCOUNT),
    **dict.fromkeys(("users.settings", "users.update_settings"), _LIVE_STREAMS),
    **dict.fromkeys(("billing.plans", "billing.subscribe"), _PLANS),
    **dict.fromkeys(
        (
            f"metrics.{kind}_{which}"
            for kind in ("meeting", "webinar")
            for which in ("quality", "qualities")
        ),
        _QUALITY,
    ),
    "metrics.rooms": {"conf_rooms": "zoom_rooms"},
    "metrics.im": {
        "total_send": "total_sent",
        "group_send": "group_sent",
        "files_send": "files_sent",
        "images_send": "images_sent",
        "voice_send": "audio_sent",
        "videos_send": "video_sent",
        "emoji_send": "giphys_sent",
    },
    "schedulers.list": {"assistants": "schedulers"},
    "pac_accounts.list": {"tsp_accounts": "pac_accounts"},
    "chat.sessions": {"session_id": "id"},
}
# Further paths of the same reports.
_ALSO = {
    Reports.meeting_polls.name: "/past_meetings/{meetingId}/polls",
    Reports.webinar_polls.name: "/past_webinars/{webinarId}/polls",
    Reports.webinar_questions.name: "/past_webinars/{webinarId}/qa",
}
# Subscriptions are made where the app is managed, and there are no ZPK any more.
GONE = {operation.name for operation in (*Webhooks.operations(), Users.zpk_expiry)}


def served_today(served: Iterable[Served]) -> Iterator[Served]:
    """Yields the operations of today's services, under their paths."""
    for each in served:
        operation = each.operation
        if operation.name in GONE:
            continue
        query = MeetingsQueryToday if operation.query is MeetingsQuery else operation.query
        path = _path_today(operation.path)
        yield replace(each, operation=replace(operation, path=path, query=query))
        if operation.name in _ALSO:
            yield replace(each, operation=replace(operation, path=_ALSO[operation.name]))


def _path_today(path: str) -> str:
    for own, theirs in PATHS.items():
        if path == own or path.startswith(f"{own}/"):
            return theirs + path.removeprefix(own)
    return path
