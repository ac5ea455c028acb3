"""What can be begun with webinars."""

from portal.contract.webinars import Webinars
from portal.ui.shortcuts import Shortcut

SHORTCUTS = (
    Shortcut(
        "Schedule a webinar", "presentation", "webinars:create", Webinars.create, "create add new"
    ),
)
