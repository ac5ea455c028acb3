"""Scopes of a connection's token: those to tick for what one wants, and those that are missing."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django import forms

from portal.access.models import Connection, ServiceToken
from portal.access.models.connection import dialect_named
from portal.contract import FAMILIES, OPERATIONS_OF_TODAY
from portal.contract.operation import AnyOperation
from portal.contract.today import ASKED, Asked, is_of_masters
from portal.translation import gettext as _, gettext_lazy, number

_OF_SESSIONS = ("meeting", "webinar", "past_", "panelists")
_OF_PEOPLE = ("users.", "assistants.", "schedulers.", "groups.", "im_groups.", "tsp_", "pac_")


def _named(*beginnings: str) -> Callable[[str, Asked], bool]:
    return lambda name, asked: name.startswith(beginnings) and not asked.is_of_masters


_WANTED: Mapping[str, tuple[str, Callable[[str, Asked], bool]]] = {
    "people": (gettext_lazy("People and groups"), _named(*_OF_PEOPLE)),
    "sessions": (gettext_lazy("Meetings and webinars"), _named(*_OF_SESSIONS)),
    "recordings": (gettext_lazy("Recordings"), _named("recordings.")),
    "reports": (gettext_lazy("Dashboards and reports"), _named("metrics.", "reports.", "chat.")),
    "account": (
        gettext_lazy("Account settings and equipment"),
        _named("accounts.", "billing.", "tracking_fields.", "devices.", "telephony_provider."),
    ),
    "masters": (gettext_lazy("Sub accounts"), lambda _name, asked: asked.is_of_masters),
}
_EVERYTHING = [name for name in _WANTED if name != "masters"]


class _Checks(forms.CheckboxSelectMultiple):
    """Some of a few choices."""

    template_name = "ui/forms/cards.html"


class _Cards(forms.RadioSelect):
    """One of a few choices."""

    template_name = "ui/forms/cards.html"


class ScopesForm(forms.Form):
    """Purposes and access of a connection, and the kind of its scopes."""

    wanted = forms.MultipleChoiceField(
        label=gettext_lazy("For"),
        choices=[(name, title) for name, (title, _has) in _WANTED.items()],
        widget=_Checks,
        help_text=gettext_lazy("Sub accounts need the app of a master account."),
    )
    changes = forms.ChoiceField(
        label=gettext_lazy("Access"),
        choices=[
            ("read", gettext_lazy("View only")),
            ("change", gettext_lazy("View and change")),
        ],
        widget=_Cards,
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("Scopes of the app"),
        choices=[
            ("granular", gettext_lazy("Granular, as apps have that are made today")),
            ("classic", gettext_lazy("Classic, as older apps have")),
        ],
        widget=_Cards,
    )

    def __init__(self, given: Mapping[str, object]) -> None:
        everything = {"wanted": _EVERYTHING, "changes": "change", "kind": "granular"}
        super().__init__(given or everything)

    def scopes(self) -> list[str]:
        """Returns the scopes to tick."""
        wanted = self.cleaned_data
        has = [_WANTED[name][1] for name in wanted["wanted"]]
        return sorted(
            {
                asked.granular if wanted["kind"] == "granular" else asked.classic[0]
                for name, asked in ASKED.items()
                if any(each(name, asked) for each in has)
                and (wanted["changes"] == "change" or OPERATIONS_OF_TODAY[name].method == "GET")
            }
        )


def held_by(connection: Connection) -> frozenset[str]:
    """Returns the scopes that came with the token; none where the service names none."""
    if not connection.renews:
        return frozenset()
    token = ServiceToken.objects.filter(connection=connection).only("scope").first()
    return frozenset(token.scopes) if token else frozenset()


def missing_of(connection: Connection) -> dict[str, str]:
    """Returns the scopes that the token lacks, by the operations that need them; none where the
    service does not say which it has."""
    asked = dialect_named(connection.dialect).asked
    held = held_by(connection) if asked else frozenset()
    if not held:
        return {}
    return {name: one.missing_from(held) for name, one in asked.items() if not one.is_met_by(held)}


@dataclass(frozen=True)
class FamilyCoverage:
    """A family of operations: what of its readings and changes the token allows, and what it lacks,
    each with its scope."""

    title: str
    reads: str
    writes: str
    lacking: tuple[tuple[str, str], ...]

    @property
    def is_whole(self) -> bool:
        return not self.lacking


def is_master(scopes: Collection[str]) -> bool:
    """Returns whether these are scopes of a master account's app, which has sub accounts."""
    return any(is_of_masters(scope) for scope in scopes)


def coverage_of(connection: Connection) -> list[FamilyCoverage]:
    """Returns what the token's scopes allow of each family; none where they are not known. What
    only master accounts can have is left out for others."""
    missing = missing_of(connection)
    asked = dialect_named(connection.dialect).asked
    held = held_by(connection)
    if not asked or not held:
        return []
    has_masters = is_master(held)
    relevant = {name: one for name, one in asked.items() if has_masters or not one.is_of_masters}
    return list(_covered(relevant, missing))


def _covered(asked: Mapping[str, Asked], missing: Mapping[str, str]) -> Iterator[FamilyCoverage]:
    for family in FAMILIES:
        known = [
            each
            for each in OPERATIONS_OF_TODAY.values()
            if each.family == family.name and each.name in asked
        ]
        if not known:
            continue
        reads = [each for each in known if each.method == "GET"]
        writes = [each for each in known if each.method != "GET"]
        lacking = tuple(
            (each.summary, missing[each.name]) for each in known if each.name in missing
        )
        yield FamilyCoverage(family.title, _part(reads, missing), _part(writes, missing), lacking)


def _part(operations: Iterable[AnyOperation], missing: Mapping[str, str]) -> str:
    every = [operation.name for operation in operations]
    if not every:
        return ""
    allowed = sum(name not in missing for name in every)
    values = {"allowed": number(allowed), "all": number(len(every))}
    return _("%(allowed)s of %(all)s") % values
