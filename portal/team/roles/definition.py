"""Rights of a defined role as the form and pages have them: a level for each family of operations.

A level includes the lesser ones. Families stand in groups, which are called as in the navigation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portal.access.roles import DEFINABLE, Rights, covers, may, rights_of
from portal.audit.wording import EFFECTS
from portal.contract import FAMILIES, OPERATIONS
from portal.contract.operation import AnyOperation, Effect
from portal.translation import gettext as _, gettext_lazy
from portal.ui.navigation import PageOfRole, pages_of_role

Grants = dict[str, list[str]]
LEVELS = {
    "": gettext_lazy("Nothing"),
    Effect.READ.value: gettext_lazy("View only"),
    Effect.WRITE.value: gettext_lazy("View and change"),
    Effect.DESTRUCTIVE.value: gettext_lazy("View, change and delete"),
}
_GROUPS = (
    (
        gettext_lazy("People"),
        (
            *("users", "assistants", "schedulers", "tsp_accounts", "pac_accounts"),
            *("groups", "im_groups"),
        ),
    ),
    (
        gettext_lazy("Sessions"),
        (
            *("meetings", "meeting_registrants", "meeting_polls", "past_meetings"),
            *("webinars", "webinar_registrants", "panelists", "webinar_polls", "past_webinars"),
            "recordings",
        ),
    ),
    (gettext_lazy("Insights"), ("metrics", "reports")),
    (gettext_lazy("Account"), ("devices", "tracking_fields", "telephony_provider")),
)
# What no defined role can have, and why.
WITHHELD = (
    (
        gettext_lazy("Chat archive"),
        gettext_lazy("Others' conversations. Give the role Compliance reviewer instead."),
    ),
    (
        gettext_lazy("Sub accounts, billing and plans"),
        gettext_lazy("They cost money, so they are for administrators alone."),
    ),
    (
        gettext_lazy("Webhooks"),
        gettext_lazy("They send data elsewhere and show secrets. Only administrators have them."),
    ),
    (
        gettext_lazy("Changes of tracking fields and of the telephony provider"),
        gettext_lazy("They affect everybody in the account. A role can view them."),
    ),
    (
        gettext_lazy("Team, roles, approvals and two-factor rules"),
        gettext_lazy("Who can change rights could give themselves any other right."),
    ),
    (
        gettext_lazy("Sharing a connection"),
        gettext_lazy("Only the owner of a connection shares it, whatever their role."),
    ),
)
_TITLES = {family.name: family for family in FAMILIES}


@dataclass(frozen=True)
class SectionOfRole:
    """A section of the navigation as a role has it: its pages, and the acts by their titles."""

    title: str
    pages: Sequence[PageOfRole]
    allowed: Sequence[str]
    refused: Sequence[str]


def definable_effects(family: str) -> list[Effect]:
    """Returns the effects that the family's operations have and a defined role can be given."""
    effects = {one.effect for one in OPERATIONS.values() if one.family == family}
    return [effect for effect in DEFINABLE[family] if effect in effects]


def groups() -> list[tuple[str, list[str]]]:
    """Returns the families that can be chosen, in groups with their titles."""
    return [(str(title), list(names)) for title, names in _GROUPS]


def title_of(family: str) -> str:
    return str(_TITLES[family].title) if family in _TITLES else family


def level_of(grants: Mapping[str, Sequence[str]], family: str) -> str:
    """Returns the greatest effect that the grants give of a family; empty for none."""
    granted = grants.get(family, ())
    return next((one for one in reversed(definable_effects(family)) if one.value in granted), "")


def grants_by(levels: Mapping[str, str]) -> Grants:
    """Returns the grants of these levels, by families."""
    grants: Grants = {}
    for family, level in levels.items():
        effects = [effect.value for effect in definable_effects(family)]
        if level in effects:
            grants[family] = effects[: effects.index(level) + 1]
    return grants


def in_words(rights: Rights) -> list[str]:
    """Returns what rights allow, a sentence for each family: "Webinars: view, change"."""
    effects: dict[str, list[str]] = {}
    order = list(Effect)
    for family, effect in sorted(rights, key=lambda one: (one[0], order.index(one[1]))):
        if effect in definable_effects(family):
            effects.setdefault(family, []).append(str(EFFECTS[effect.value]))
    listed = [name for _title, names in _GROUPS for name in names]
    return [
        _("%(family)s: %(effects)s")
        % {"family": title_of(family), "effects": ", ".join(effects[family])}
        for family in listed
        if family in effects
    ]


def sections_of(role: str) -> list[SectionOfRole]:
    """Returns what a role sees and can do, section by section of the navigation."""
    pages = dict(pages_of_role(role))
    acts = {str(title): _acts(names) for title, names in _GROUPS}
    return [
        SectionOfRole(
            title,
            pages.get(title, ()),
            [one.summary for one in acts.get(title, ()) if may(role, one)],
            [one.summary for one in acts.get(title, ()) if not may(role, one)],
        )
        for title in dict.fromkeys([*pages, *acts])
    ]


def _acts(families: Sequence[str]) -> list[AnyOperation]:
    return [
        one
        for family in families
        for one in OPERATIONS.values()
        if one.family == family and one.effect is not Effect.READ and not one.deprecated
    ]


def is_no_less(role: str, other: str) -> bool:
    """Returns whether a role may do all that another may, also one that may do nothing."""
    return not rights_of(other) or covers(role, other)
