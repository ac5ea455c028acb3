"""What the plans of a sub account are, and what a change of one comes to."""

from collections.abc import Iterator
from dataclasses import dataclass

from portal.contract.billing import AccountPlan, AccountPlans

BASE = "Base plan"
_UNKNOWN = "an unknown number of"


@dataclass(frozen=True)
class Plan:
    """A plan that the account has. `hosts` is `None` where the service counts none."""

    title: str
    type: str
    hosts: int | None = None


def plans_of(found: AccountPlans) -> list[Plan]:
    """The plans in the order of the document."""
    return list(_plans(found))


def _plans(found: AccountPlans) -> Iterator[Plan]:
    if found.plan_base:
        yield _plan(BASE, found.plan_base)
    if found.plan_audio:
        yield Plan("Audio", found.plan_audio.type or "")
    for title, one in (
        ("Conference rooms", found.plan_conf_rooms),
        ("Room connector", found.plan_room_connector),
    ):
        if one:
            yield _plan(title, one)
    for title, several in (
        ("Large meetings", found.plan_large_meeting),
        ("Webinars", found.plan_webinar),
    ):
        for one in several or ():
            yield _plan(title, one)
    if found.plan_recording:
        yield Plan("Recording", found.plan_recording)


def _plan(title: str, plan: AccountPlan) -> Plan:
    return Plan(title, plan.type or "", plan.hosts)


def change_in_words(before: Plan | None, type_: str, hosts: int) -> list[str]:
    """What a change comes to: the plan before and after, and the seats."""
    if before is None:
        return [f"{type_} is added with {_seats(hosts)}."]
    said = []
    if before.type != type_:
        said.append(f"The plan changes from {before.type or 'an unknown one'} to {type_}.")
    if before.hosts is None:
        said.append(f"It has {_UNKNOWN} seats now, and {_seats(hosts)} then.")
    elif before.hosts != hosts:
        more = hosts - before.hosts
        difference = f"{abs(more):,} {'more' if more > 0 else 'fewer'}"
        said.append(f"It has {_seats(before.hosts)} now, and {_seats(hosts)} then: {difference}.")
        if more < 0:
            said.append("People beyond that number can lose their licence.")
    return said or ["Nothing changes: the account has this plan with as many seats."]


def _seats(count: int) -> str:
    return f"{count:,} seat{'' if count == 1 else 's'}"
