"""Plans of a sub account, and the effect of changing one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from portal.contract.billing import AccountPlan, AccountPlans
from portal.translation import gettext as _, ngettext, number

_NAMED = re.compile(
    r"[a-z]+(?P<count>\d*)_(?P<term>monthly|yearly)(_(?P<size>\d+)(?P<unit>gb|tb))?"
)


@dataclass(frozen=True)
class SubAccountPlan:
    """A plan that the account has. `hosts` is `None` where the service counts none."""

    title: str
    type: str
    hosts: int | None = None
    is_base: bool = False

    @property
    def name(self) -> str:
        """Returns the plan as people read it."""
        return plan_in_words(self.type)


def plan_in_words(type_: str) -> str:
    """Returns "500 participants, yearly" of `webinar500_yearly`; other names as they are."""
    named = _NAMED.fullmatch(type_)
    if named is None:
        return type_
    count, size = named["count"], named["size"]
    words = [
        _("%(count)s participants") % {"count": number(int(count))} if count else "",
        f"{size} {named['unit'].upper()}" if size else "",
        _("yearly") if named["term"] == "yearly" else _("monthly"),
    ]
    return ", ".join(filter(None, words))


def plans_of(account_plans: AccountPlans) -> list[SubAccountPlan]:
    """Returns the plans in the order of the document."""
    return list(_plans(account_plans))


def _plans(account_plans: AccountPlans) -> Iterator[SubAccountPlan]:
    if account_plans.plan_base:
        yield _plan(_("Base plan"), account_plans.plan_base, is_base=True)
    if account_plans.plan_audio:
        yield SubAccountPlan(_("Audio"), account_plans.plan_audio.type or "")
    for title, one in (
        (_("Conference rooms"), account_plans.plan_conf_rooms),
        (_("Room connector"), account_plans.plan_room_connector),
    ):
        if one:
            yield _plan(title, one)
    for title, several in (
        (_("Large meetings"), account_plans.plan_large_meeting),
        (_("Webinars"), account_plans.plan_webinar),
    ):
        for one in several or ():
            yield _plan(title, one)
    if account_plans.plan_recording:
        yield SubAccountPlan(_("Recording"), account_plans.plan_recording)


def _plan(title: str, plan: AccountPlan, *, is_base: bool = False) -> SubAccountPlan:
    return SubAccountPlan(title, plan.type or "", plan.hosts, is_base)


def change_in_words(before: SubAccountPlan | None, type_: str, hosts: int) -> list[str]:
    """Returns the effect of a change in words: the plan before and after, and the seats."""
    after = seats_in_words(hosts)
    if before is None:
        values = {"type": plan_in_words(type_), "seats": after}
        return [_("%(type)s is added with %(seats)s.") % values]
    phrases = []
    if not before.type:
        values = {"type": plan_in_words(type_)}
        phrases.append(_("The plan changes from an unknown one to %(type)s.") % values)
    elif before.type != type_:
        values = {"before": before.name, "after": plan_in_words(type_)}
        phrases.append(_("The plan changes from %(before)s to %(after)s.") % values)
    if before.hosts is None:
        words = _("It has an unknown number of seats now, and %(seats)s then.")
        phrases.append(words % {"seats": after})
    elif before.hosts != hosts:
        more = hosts - before.hosts
        if more > 0:
            words = _("It has %(before)s now, and %(after)s then: %(count)s more.")
        else:
            words = _("It has %(before)s now, and %(after)s then: %(count)s fewer.")
        values = {"before": seats_in_words(before.hosts), "after": after}
        phrases.append(words % {**values, "count": number(abs(more))})
        if more < 0:
            phrases.append(_("People beyond that number can lose their licence."))
    return phrases or [_("Nothing changes: the account has this plan with as many seats.")]


def seats_in_words(count: int) -> str:
    return ngettext("%(count)s seat", "%(count)s seats", count) % {"count": number(count)}
