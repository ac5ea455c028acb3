"""The rules that coming sessions are held against, as data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """`name` is how URLs say it, empty for the first; `label` is its tab, `why` says what comes of
    a session that breaks it. `finding` heads the column that tells what each of them has of its
    own, if there is such a thing."""

    name: str
    label: str
    why: str
    finding: str = ""


PASSWORD = Rule(
    "",
    "No password",
    "Whoever has the link, or guesses the number, can join these meetings. Webinars are left out:"
    " the service does not tell whether they have one.",
)
EARLY = Rule(
    "early",
    "Join before host",
    "People can meet in these meetings while nobody is there to look after them.",
)
REGISTRATION = Rule(
    "registration",
    "No registration",
    "These say by their tracking field that people register first, and anyone with the link can"
    " join.",
)
HOST = Rule(
    "host",
    "Host is gone",
    "Their hosts are deactivated or not on the account any more, so nobody is there to start them.",
    finding="Host is",
)
CLASH = Rule(
    "clash",
    "Clashes",
    "The same person hosts two sessions at one time. Which of them is to move is for people to say:"
    " open one and change its time, or schedule it for somebody else.",
    finding="Overlaps with",
)
RULES = (PASSWORD, EARLY, REGISTRATION, HOST, CLASH)


def rule_called(name: str) -> Rule:
    """The first one for a name that no rule has."""
    return next((rule for rule in RULES if rule.name == name), PASSWORD)
