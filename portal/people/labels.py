"""Labels of a person's licence and status."""

from django.utils.safestring import SafeString

from portal.contract.users import LicenceType, UserStatus
from portal.ui.states import State, pill

_LICENCES = {kind.value: kind.label for kind in LicenceType}
_STATUSES: dict[str, tuple[State, str] | tuple[State, str, str]] = {
    UserStatus.ACTIVE.value: ("good", UserStatus.ACTIVE.label),
    UserStatus.PENDING.value: ("neutral", UserStatus.PENDING.label, "clock"),
    UserStatus.INACTIVE.value: ("neutral", UserStatus.INACTIVE.label),
}


def licence_label(number: int | None) -> str:
    """A licence in words; one that the interface does not name keeps its number."""
    return "" if number is None else _LICENCES.get(number, f"Type {number}")


def status_pill(value: str) -> SafeString:
    """A person's status as one of the five states, with its word."""
    return pill(*_STATUSES.get(value, ("neutral", value or "Unknown")))


def status_label(value: str) -> str:
    return _STATUSES[value][1] if value in _STATUSES else value or "Unknown"


def spaced(pmi: str) -> str:
    """A personal meeting ID as it is read aloud: 123 456 7890."""
    is_usual = pmi.isdecimal() and len(pmi) == 10
    return f"{pmi[:3]} {pmi[3:6]} {pmi[6:]}" if is_usual else pmi
