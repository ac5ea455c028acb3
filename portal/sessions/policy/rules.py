"""The rules that coming sessions are held against, as data."""

from dataclasses import dataclass

from portal.translation import gettext_lazy


@dataclass(frozen=True, eq=False)  # known by itself, whatever its words are in a language
class Rule:
    """`name` is how URLs say it, empty for the first; `label` is its tab, `why` says what comes of
    a session that breaks it. `finding` heads the column that shows what each of them has of its
    own, if there is such a thing."""

    name: str
    label: str
    why: str
    finding: str = ""


PASSWORD = Rule(
    "",
    gettext_lazy("No password"),
    gettext_lazy(
        "Anyone with the link or the meeting ID can join these meetings. Webinars are not checked, "
        "because the service does not report whether they have a password."
    ),
)
EARLY = Rule(
    "early",
    gettext_lazy("Join before host"),
    gettext_lazy("Participants can start these meetings without the host."),
)
HOST = Rule(
    "host",
    gettext_lazy("Inactive host"),
    gettext_lazy(
        "Their hosts are deactivated or no longer on the account, so no one can start them."
    ),
    finding=gettext_lazy("Host status"),
)
CLASH = Rule(
    "clash",
    gettext_lazy("Scheduling conflicts"),
    gettext_lazy(
        "The same person hosts two sessions at the same time. Open one and change its time, or "
        "schedule it for another host."
    ),
    finding=gettext_lazy("Overlaps with"),
)
RULES = (PASSWORD, EARLY, HOST, CLASH)


def rule_called(name: str) -> Rule:
    """The first one for a name that no rule has."""
    return next((rule for rule in RULES if rule.name == name), PASSWORD)
