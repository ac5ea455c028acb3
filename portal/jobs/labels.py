"""Jobs in words: the actions of a plan, its speed and its duration."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.utils import dateformat, timezone

from portal.jobs.job_types import Wording
from portal.jobs.models import UNDOES, ItemState, Job, JobState
from portal.translation import gettext as _, gettext_lazy, ngettext, number as shown_number, within
from portal.ui.states import State

JOB_TONES: dict[str, State] = {
    JobState.PLANNING: "running",
    JobState.PLANNED: "running",
    JobState.UNPLANNABLE: "bad",
    JobState.AWAITING: "warning",
    JobState.RUNNING: "running",
    JobState.PAUSED: "warning",
    JobState.DONE: "good",
    JobState.CANCELLED: "neutral",
}
ITEM_TONES: dict[str, State] = {
    ItemState.PENDING: "neutral",
    ItemState.SENDING: "running",
    ItemState.DONE: "good",
    ItemState.FAILED: "bad",
    ItemState.UNKNOWN: "warning",
    ItemState.UNCHANGED: "neutral",
    ItemState.INVALID: "bad",
    ItemState.LEFT_OUT: "neutral",
}
ITEM_ICONS: dict[str, str] = {
    ItemState.PENDING: "clock",
    ItemState.SENDING: "loader-circle",
    ItemState.DONE: "check",
    ItemState.FAILED: "x",
    ItemState.UNKNOWN: "triangle-alert",
    ItemState.UNCHANGED: "equal",
    ItemState.INVALID: "x",
    ItemState.LEFT_OUT: "circle-minus",
}
# Icons and tones for a row of a plan by its action, or by how a step of a domain ends; rows of
# another action are changed.
_ICONS: dict[str, tuple[str, State]] = {
    "create": ("plus", "good"),
    "register": ("plus", "good"),
    "delete": ("trash-2", "bad"),
    "remove": ("trash-2", "bad"),
    "trash": ("trash-2", "bad"),
}
# Words for a row of a plan by its action, if they are not the action's title.
_PLANNED: dict[str, str] = {
    "create": gettext_lazy("Will be created"),
    "change": gettext_lazy("Will be changed"),
    "delete": gettext_lazy("Will be deleted"),
    "activate": gettext_lazy("Will be activated"),
    "deactivate": gettext_lazy("Will be deactivated"),
}
# Words for a done row by its action; rows of another action are "done".
_DONE: dict[str, str] = {
    "create": gettext_lazy("created"),
    "change": gettext_lazy("changed"),
    "delete": gettext_lazy("deleted"),
    "disassociate": gettext_lazy("disassociated"),
    "activate": gettext_lazy("activated"),
    "deactivate": gettext_lazy("deactivated"),
    "join": gettext_lazy("added"),
    "leave": gettext_lazy("removed"),
    "reclaim": gettext_lazy("moved to Basic"),
    "trash": gettext_lazy("moved to trash"),
    "recover": gettext_lazy("recovered"),
    "register": gettext_lazy("registered"),
    "approve": gettext_lazy("approved"),
    "deny": gettext_lazy("denied"),
    "cancel": gettext_lazy("cancelled"),
    "tell": gettext_lazy("notified"),
    "load": gettext_lazy("loaded"),
    "read": gettext_lazy("loaded"),
    "check": gettext_lazy("checked"),
}
_SECOND, _MINUTE, _HOUR, _DAY = 1, 60, 3600, 86400


def tone_of_item(job: Job, state: ItemState) -> State:
    """Returns the tone of an item's state; what an undo leaves as it is was no mistake."""
    is_left = state == ItemState.INVALID and UNDOES in job.parameters
    return "neutral" if is_left else ITEM_TONES[state]


def state_of_item(job: Job, state: ItemState) -> str:
    """Returns the title of an item's state; a pending item of a cancelled job is "Not sent", and
    one that an undo does not restore is "Left"."""
    if state == ItemState.INVALID and UNDOES in job.parameters:
        return _("Left as it is")
    if state == ItemState.PENDING and job.state == JobState.CANCELLED:
        return _("Not sent")
    return str(state.label)


def counted(number: int, noun: tuple[str, str]) -> str:
    """Returns "1 person", or "4,812 people"."""
    return f"{shown_number(number)} {noun[0] if number == 1 else noun[1]}"


def verb_of(job_type: Wording, action: str) -> str:
    """Returns the title of an action: "Change"; empty for a kind with one nameless action."""
    return str(job_type.verbs.get(action) or action.capitalize())


def icon_of(action: str) -> tuple[str, State]:
    """Returns the icon and the tone of a row of a plan."""
    return _ICONS.get(action.rpartition(".")[2], ("pencil", "running"))


def planned_words(job_type: Wording, action: str) -> str:
    """Returns what becomes of a row of a plan; empty for a kind with one nameless action."""
    return str(_PLANNED.get(action, "")) or verb_of(job_type, action)


def done_word(action: str) -> str:
    """Returns what became of a done row."""
    return str(_DONE.get(action) or _("done"))


def plan_in_words(job: Job, job_type: Wording, actions: Mapping[str, int]) -> str:
    """Returns "Create 812 people", or "Create 812, change 64"; for one action the words of the
    title."""
    if len(actions) == 1:
        action, count = next(iter(actions.items()))
        if words := job.titled(counted(count, job_type.noun)):
            return words
        verb, what = verb_of(job_type, action), counted(count, job_type.noun)
        if phrase := job_type.phrases.get(action):
            return phrase % {"what": what}
        if not verb:
            return what
        words = _("%(verb)s: %(what)s") if " " in verb else _("%(verb)s %(what)s")
        return words % {"verb": verb, "what": what}
    phrases = [
        f"{within(verb_of(job_type, action))} {shown_number(count)}".strip()
        for action, count in actions.items()
    ]
    words = ", ".join(phrases)
    return f"{words[:1].upper()}{words[1:]}"


def done_in_words(job_type: Wording, actions: Mapping[str, int]) -> list[str]:
    """Returns ["4 people created"], or ["4 created", "2 changed"]."""
    counts: dict[str, int] = {}
    for action, count in actions.items():
        word = done_word(action)
        counts[word] = counts.get(word, 0) + count
    is_one = len(counts) == 1
    return [
        f"{counted(count, job_type.noun) if is_one else shown_number(count)} {word}"
        for word, count in counts.items()
    ]


def rate_in_words(rate: float | None) -> str:
    """Returns "8.3 per second", or "24 per minute"; empty if the rate is unknown or zero."""
    if rate is None or rate <= 0:
        return ""
    if rate >= 10:
        return _("%(rate)s per second") % {"rate": shown_number(rate)}
    if rate >= 1:
        return _("%(rate)s per second") % {"rate": shown_number(rate, 1)}
    return _("%(rate)s per minute") % {"rate": shown_number(max(rate * 60, 1))}


def span_in_words(span: timedelta) -> str:
    """Returns "47 s", "12 min 5 s", "2 h 10 min", "3 days", or "less than a second"."""
    seconds = max(int(span.total_seconds()), 0)
    if not seconds:
        return _("less than a second")
    if seconds < _MINUTE:
        return _("%(seconds)s s") % {"seconds": seconds}
    if seconds < _HOUR:
        minutes, rest = divmod(seconds, _MINUTE)
        if rest and minutes < 10:
            return _("%(minutes)s min %(seconds)s s") % {"minutes": minutes, "seconds": rest}
        return _("%(minutes)s min") % {"minutes": minutes}
    if seconds < 2 * _DAY:
        hours, rest = divmod(seconds // _MINUTE, 60)
        if rest:
            return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": rest}
        return _("%(hours)s h") % {"hours": hours}
    days = seconds // _DAY
    return ngettext("%(count)s day", "%(count)s days", days) % {"count": shown_number(days)}


def left_in_words(seconds: float) -> str:
    """Returns the time left, rounded to its precision: "about 7 min"."""
    if seconds < 10:
        return _("a few seconds")
    if seconds < _MINUTE:
        return _("less than a minute")
    if seconds < _HOUR:
        span = _("%(minutes)s min") % {"minutes": round(seconds / _MINUTE)}
    elif seconds < _DAY:
        span = span_in_words(timedelta(minutes=5 * round(seconds / 300)))
    else:
        days = round(seconds / _DAY)
        span = ngettext("%(count)s day", "%(count)s days", days) % {"count": shown_number(days)}
    return _("about %(span)s") % {"span": span}


def clock(moment: datetime, *, with_seconds: bool = True) -> str:
    """Returns the time of day in the user's time zone, with the date if it is not today."""
    local = timezone.localtime(moment)
    time = dateformat.format(local, "H:i:s" if with_seconds else "H:i")
    if local.date() == timezone.localtime().date():
        return time
    return _("%(time)s on %(day)s") % {"time": time, "day": dateformat.format(local, _("j F"))}


def tone_of(job: Job, troubled: int = 0) -> State:
    """Returns one of the five states; a job that ended with failed items is not good."""
    is_troubled = job.state == JobState.DONE and troubled
    return "warning" if is_troubled or job.is_unattended else JOB_TONES[job.state]
