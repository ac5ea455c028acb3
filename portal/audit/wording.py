"""Words of an entry: labels of objects, titles and values of fields, messages of the portal."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from django.utils import dateformat, timezone
from django.utils.dates import WEEKDAYS
from django.utils.text import capfirst
from django.utils.translation import gettext_noop

from portal.access.models.connection import Colour, Way
from portal.access.scope import Scope
from portal.access.sign_in_methods import Method
from portal.audit.models import AuditEntry
from portal.client.messages import MESSAGES
from portal.contract.model import JsonDict
from portal.contract.operation import Effect
from portal.contract.recordings import file_in_words
from portal.translation import gettext as _, gettext_lazy, number, stored

# Returns the label of an object of a family by its id, as the stored lists have it, or nothing.
ObjectLabel = Callable[[Scope, str], str]
_listed: defaultdict[str, list[ObjectLabel]] = defaultdict(list)
_called: dict[str, ObjectLabel] = {}
_titles: list[Callable[[Collection[str]], Mapping[str, str]]] = []
_OF_JOBS = "job."  # how the acts on jobs begin
_NAMES = ("email", "name", "topic", "title", "field", "owner_email")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_FILE = ("recording_type", "file_type")
_CHOICES = {
    "colour": dict(Colour.choices),
    "way": dict(Way.choices),
    "method": dict(Method.choices),
}
# Effects of operations, in a list of rights.
EFFECTS = {
    Effect.READ.value: gettext_lazy("view"),
    Effect.WRITE.value: gettext_lazy("change"),
    Effect.DESTRUCTIVE.value: gettext_lazy("delete"),
}
# So that these are translated; any other is called by its name alone.
_TITLES = (
    gettext_noop("Active"),
    gettext_noop("Address"),
    gettext_noop("Applies to"),
    gettext_noop("Approval hours"),
    gettext_noop("Asked by"),
    gettext_noop("Began"),
    gettext_noop("Brings back"),
    gettext_noop("Browser"),
    gettext_noop("Colleague"),
    gettext_noop("Colour"),
    gettext_noop("Columns"),
    gettext_noop("Connection"),
    gettext_noop("Deliveries"),
    gettext_noop("Departments"),
    gettext_noop("Description"),
    gettext_noop("Destructive job rows"),
    gettext_noop("Email"),
    gettext_noop("Families"),
    gettext_noop("Family"),
    gettext_noop("File"),
    gettext_noop("Filter"),
    gettext_noop("Form"),
    gettext_noop("Format"),
    gettext_noop("Former owner keeps"),
    gettext_noop("Frequency"),
    gettext_noop("Groups"),
    gettext_noop("Held by"),
    gettext_noop("Items"),
    gettext_noop("Job rows"),
    gettext_noop("Kind"),
    gettext_noop("Mailed to"),
    gettext_noop("Method"),
    gettext_noop("Name"),
    gettext_noop("Older than"),
    gettext_noop("Operations"),
    gettext_noop("Outcome"),
    gettext_noop("Owner"),
    gettext_noop("Person"),
    gettext_noop("Protected"),
    gettext_noop("Read only"),
    gettext_noop("Reason"),
    gettext_noop("Receipt"),
    gettext_noop("Recipients"),
    gettext_noop("Report"),
    gettext_noop("Request hours"),
    gettext_noop("Row"),
    gettext_noop("Rows"),
    gettext_noop("Rule"),
    gettext_noop("Sends mail"),
    gettext_noop("Settings"),
    gettext_noop("Since"),
    gettext_noop("Steps done"),
    gettext_noop("Steps not done"),
    gettext_noop("Token"),
    gettext_noop("Type"),
    gettext_noop("Until"),
    gettext_noop("User agent"),
    gettext_noop("What"),
    gettext_noop("Whose"),
)
_BY_NAME = {
    "base_url": gettext_noop("Base URL"),
    "first": gettext_noop("First day"),
    "last": gettext_noop("Last day"),
    "way": gettext_noop("Sign-in"),
}
SIGN_IN_REFUSED = gettext_noop("Wrong email or password.")
FACTOR_REFUSED = gettext_noop("Wrong two-factor code.")
DEACTIVATED = gettext_noop("The account is deactivated.")
WAITING = gettext_noop("Waiting for the service.")
NOT_SENT = gettext_noop("Not sent. %(words)s")
NEEDS_APPROVAL = gettext_noop("“%(what)s” needs the approval of another administrator.")
UNDONE_ALREADY = gettext_noop("This was undone already.")
ACCESS_ENDED = gettext_noop("Your access to this connection has ended.")
SECRETS_ROTATED = gettext_noop("%(count)s secrets are under the first key.")
REQUIRED_FROM = gettext_noop("Required from %(day)s")
NOT_REQUIRED = gettext_noop("Not required")
STORED_MESSAGES = (
    SIGN_IN_REFUSED,
    FACTOR_REFUSED,
    DEACTIVATED,
    WAITING,
    NOT_SENT,
    NEEDS_APPROVAL,
    UNDONE_ALREADY,
    ACCESS_ENDED,
    SECRETS_ROTATED,
    REQUIRED_FROM,
    NOT_REQUIRED,
    *MESSAGES,
)


def label_of(*states: JsonDict | None) -> str:
    """Returns the first email, name, topic or title among values that were read or sent."""
    for state in states:
        for section in (state or {}, (state or {}).get("user_info") or {}):
            for name in _NAMES:
                if isinstance(section.get(name), str) and section[name]:
                    return str(section[name])
    return ""


def register(labels: Mapping[str, ObjectLabel], names: Mapping[str, ObjectLabel]) -> None:
    """Registers, by families, lookups of labels in the stored lists, and of names that are not the
    labels."""
    _called.update(names)
    for family, label in labels.items():
        _listed[family].append(label)


def register_titles(find: Callable[[Collection[str]], Mapping[str, str]]) -> None:
    """Registers what finds the titles of jobs in the reader's language, by their keys."""
    _titles.append(find)


def say_titles(entries: Iterable[AuditEntry]) -> None:
    """Sets the titles of jobs in the reader's language on entries about stored jobs; the trail has
    them in the language of the job's owner."""
    of_jobs = [one for one in entries if one.operation.startswith(_OF_JOBS)]
    for find in _titles if of_jobs else ():
        titles = find({one.object_id for one in of_jobs})
        for one in of_jobs:
            one.title_in_words = titles.get(one.object_id, "")  # type: ignore[attr-defined]


def name_of(scope: Scope, family: str, object_id: str) -> str:
    """Returns the present name of an object, if its label is not its name."""
    find = _called.get(family)
    return find(scope, object_id) if find and object_id else ""


def stored_label(scope: Scope, family: str, object_id: str) -> str:
    """Returns the label of an object by the stored lists, or else of an earlier entry about it."""
    if not object_id:
        return ""
    for label in _listed[family]:
        if words := label(scope, object_id):
            return words
    earlier = AuditEntry.objects.filter(
        connection_key=scope.connection.key, family=family, object_id=object_id
    ).exclude(object_label="")
    return earlier.values_list("object_label", flat=True).order_by("-sequence").first() or ""


def title(name: str) -> str:
    """Returns a name such as `former_owner_keeps` in words."""
    words = _BY_NAME.get(name) or f"{name[:1].upper()}{name[1:]}".replace("_", " ")
    return _(words) if words else ""


def shown(message: str) -> str:
    """Returns an entry's message in the reader's language; words of the service stay as they
    are."""
    return stored.shown(message, STORED_MESSAGES)


def length(minutes: int) -> str:
    """Returns a duration in words: "45 min", "2 h", "1 h 30 min"."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return _("%(minutes)s min") % {"minutes": rest}
    if not rest:
        return _("%(hours)s h") % {"hours": number(hours)}
    return _("%(hours)s h %(minutes)s min") % {"hours": number(hours), "minutes": rest}


def moment_in_words(moment: datetime, *, is_near: bool = False) -> str:
    """A moment in the reader's zone, which is named: "21 November 2026, 14:02 (Europe/Berlin)"; of
    one that is near, its time of day. Without a zone it stays as it was typed."""
    is_typed = timezone.is_naive(moment)
    local = moment if is_typed else timezone.localtime(moment)
    exactly = dateformat.format(local, "H:i" if is_near else _("j F Y, H:i"))
    return exactly if is_typed else f"{exactly} ({timezone.get_current_timezone_name()})"


def in_words(name: str, value: Any) -> str:
    """Returns the words of a field's value; empty for a value that is shown unchanged."""
    last = name.rpartition(".")[2]
    if last in _SPOKEN and value not in (None, ""):
        return _SPOKEN[last](value)
    if last in _CHOICES:
        return capfirst(str(_CHOICES[last].get(value, "")))
    if isinstance(value, str) and _MOMENT.fullmatch(value):
        return moment_in_words(datetime.fromisoformat(value))
    if isinstance(value, str) and _DAY.fullmatch(value):
        return _day(value)
    return ""


def _day(value: str) -> str:
    try:
        return dateformat.format(date.fromisoformat(value), _("j F Y"))
    except ValueError:
        return value


def _minutes(value: Any) -> str:
    return length(int(value)) if str(value).isdigit() else ""


def _days(value: Any) -> str:
    """Returns the names of weekdays. The service's week begins on Sunday, this one on Monday."""
    numbers = [number.strip() for number in str(value).split(",")]
    days = (str(WEEKDAYS[(int(one) + 5) % 7]) for one in numbers if one.isdigit())
    return ", ".join(days)


def _files(value: object) -> str:
    """Returns the contents of recorded files, without their ids and addresses."""
    files = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    words = (file_in_words(*(str(one.get(name) or "") for name in _FILE)) for one in files)
    return "; ".join(filter(None, words))


def _columns(value: object) -> str:
    return ", ".join(title(str(one)) for one in value) if isinstance(value, list) else ""


_SPOKEN: dict[str, Callable[[Any], str]] = {
    "duration": _minutes,
    "weekly_days": _days,
    "columns": _columns,
    "recording_files": _files,
}
