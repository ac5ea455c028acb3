"""Labels of what the directory lists of people."""

from portal.contract.users import LicenceType
from portal.translation import gettext as _

_LICENCES = {kind.value: kind for kind in LicenceType}


def licence_label(licence: int | None) -> str:
    """A licence in words; one that the interface does not name keeps its number."""
    if licence is None:
        return ""
    if kind := _LICENCES.get(licence):
        return kind.label
    return _("Type %(number)s") % {"number": licence} if licence >= 0 else _("Unknown")
