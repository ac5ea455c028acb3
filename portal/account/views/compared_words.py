"""Words of the page that compares settings, for each kind of subject."""

from dataclasses import dataclass

from portal.account.subjects import PEOPLE, SUB_ACCOUNTS
from portal.directory.settings import GROUPS, IM_GROUPS
from portal.translation import gettext_lazy


@dataclass(frozen=True)
class ComparedWords:
    """`question`, `lead` and `choose` stand on the page without subjects, `note` above the table;
    of what is picked from a list, `find`, `nothing` and `none` stand in the picker."""

    title: str
    question: str
    lead: str
    choose: str
    note: str = ""
    label: str = ""
    required: str = ""
    find: str = ""
    nothing: str = ""
    none: str = ""


_OF_GROUPS = {
    "question": gettext_lazy("Choose which groups to compare"),
    "choose": gettext_lazy("Choose groups"),
    "note": gettext_lazy(
        "Settings are those of people: a column counts those of the group's members. Groups differ "
        "where most of their members, or some, have other values. A group leads to its members, "
        "whose settings can be changed together."
    ),
    "required": gettext_lazy("Pick a group."),
    "find": gettext_lazy("Find by name"),
    "nothing": gettext_lazy("No other group matches."),
    "none": gettext_lazy("There are no other groups."),
}
WORDS = {
    SUB_ACCOUNTS.name: ComparedWords(
        title=gettext_lazy("Sub accounts"),
        question=gettext_lazy("Choose what to compare"),
        lead=gettext_lazy(
            "Pick two to twenty sub accounts, or select them in their list. Their plans, options "
            "and settings are compared side by side."
        ),
        choose=gettext_lazy("Choose sub accounts"),
        note=gettext_lazy("Plans are compared, not copied. A plan leads to where it is changed."),
        label=gettext_lazy("Sub accounts"),
        required=gettext_lazy("Pick a sub account."),
        find=gettext_lazy("Find by name or owner"),
        nothing=gettext_lazy("No other sub account matches."),
        none=gettext_lazy("There are no other sub accounts."),
    ),
    PEOPLE.name: ComparedWords(
        title=gettext_lazy("People"),
        question=gettext_lazy("Choose whom to compare"),
        lead=gettext_lazy(
            "Pick two to twenty people or a group, or select people in their list. Their settings "
            "are compared side by side."
        ),
        choose=gettext_lazy("Choose people"),
    ),
    GROUPS.name: ComparedWords(
        title=gettext_lazy("Groups"),
        label=gettext_lazy("Groups"),
        lead=gettext_lazy(
            "Pick two to twenty groups, or select them in their list. The settings of their "
            "members are counted side by side."
        ),
        **_OF_GROUPS,
    ),
    IM_GROUPS.name: ComparedWords(
        title=gettext_lazy("IM groups"),
        label=gettext_lazy("IM groups"),
        lead=gettext_lazy(
            "Pick two to twenty IM groups, or select them in their list. The settings of their "
            "members are counted side by side."
        ),
        **_OF_GROUPS,
    ),
}
