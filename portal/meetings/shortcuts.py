"""What can be begun with meetings."""

from portal.contract.meetings import Meetings
from portal.ui.shortcuts import Shortcut

SHORTCUTS = (
    Shortcut("Schedule a meeting", "video", "meetings:create", Meetings.create, "create add new"),
)
