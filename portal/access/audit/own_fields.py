"""Titles of the fields of the portal's own changes, which no operation declares."""

from django.utils.translation import gettext_noop

from portal.translation import gettext as _

# So that these are translated; any other is called by its name alone.
_TITLES = (
    gettext_noop("Address"),
    gettext_noop("Approval hours"),
    gettext_noop("Asked by"),
    gettext_noop("Began"),
    gettext_noop("Browser"),
    gettext_noop("Colleague"),
    gettext_noop("Colour"),
    gettext_noop("Columns"),
    gettext_noop("Connection"),
    gettext_noop("Deliveries"),
    gettext_noop("Departments"),
    gettext_noop("Destructive job rows"),
    gettext_noop("Email"),
    gettext_noop("Families"),
    gettext_noop("Family"),
    gettext_noop("File"),
    gettext_noop("Filter"),
    gettext_noop("Form"),
    gettext_noop("Format"),
    gettext_noop("Former owner keeps"),
    gettext_noop("Groups"),
    gettext_noop("Held by"),
    gettext_noop("Items"),
    gettext_noop("Job rows"),
    gettext_noop("Kind"),
    gettext_noop("Method"),
    gettext_noop("Name"),
    gettext_noop("Operations"),
    gettext_noop("Outcome"),
    gettext_noop("Owner"),
    gettext_noop("Person"),
    gettext_noop("Protected"),
    gettext_noop("Read only"),
    gettext_noop("Reason"),
    gettext_noop("Receipt"),
    gettext_noop("Request hours"),
    gettext_noop("Row"),
    gettext_noop("Rows"),
    gettext_noop("Since"),
    gettext_noop("Steps done"),
    gettext_noop("Steps not done"),
    gettext_noop("Token"),
    gettext_noop("Type"),
    gettext_noop("Until"),
    gettext_noop("User agent"),
    gettext_noop("What"),
)


_BY_NAME = {"base_url": gettext_noop("Base URL"), "way": gettext_noop("Sign-in")}


def title(name: str) -> str:
    """A name such as `former_owner_keeps` as people read it."""
    words = _BY_NAME.get(name) or f"{name[:1].upper()}{name[1:]}".replace("_", " ")
    return _(words) if words else ""
