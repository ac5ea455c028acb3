"""What can be begun with meetings."""

from portal.contract.meetings import Meetings
from portal.ui.shortcuts import Shortcut

SHORTCUTS = (
    Shortcut("Create a meeting", "video", "meetings:create", Meetings.create, "schedule add new"),
)
