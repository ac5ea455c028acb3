"""Further subjects of the comparison, and copies of settings from one to others."""

from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import islice

from django import forms
from django.http import HttpResponse, QueryDict

from portal.access.form_fields import field_of, offer_choices
from portal.access.http import PortalRequest
from portal.account.services.matrix import Copied, MatrixSubject, copied, editable, of_account
from portal.account.subjects import SUB_ACCOUNTS
from portal.account.views.matrix import AddAccountsForm, AddPeopleForm, ComparingMixin, CopyForm
from portal.client import ApiError
from portal.contract.operation import AnyOperation
from portal.directory import groups, users
from portal.directory.colleagues import PeopleField
from portal.directory.models import GroupKind
from portal.directory.users import UserFilter
from portal.jobs.models import JobTitle
from portal.jobs.views.drafting import Draft, JobFormView
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.autocomplete import Pick, PickField, PickSource, split
from portal.ui.forms.layout import focused
from portal.ui.pages import toast
from portal.ui.settings.catalog import MOST_COMPARED
from portal.ui.views import ActionView, FormT, Labels
from portal.ui.views.chosen import CONFIRMED
from portal.ui.views.ranged import has_words

SETTING = "setting"  # the box of a row
_OFFERED = 8
_ALL = gettext_lazy(
    "All settings that differ are copied. To copy only some, select them in the table first."
)
_TITLES = {GroupKind.GROUP: gettext_lazy("Groups"), GroupKind.IM_GROUP: gettext_lazy("IM groups")}
_NAMED = 4  # settings that a note names


class ComparedView(ComparingMixin, ActionView[FormT]):
    """An action from the page that compares settings, which leads back there."""

    def trail(self) -> list[tuple[str, str]]:
        return [(_("Compare settings"), self.url_with(self.ids))]


class AddSubjectsView(ComparedView):
    """Adds people, the members of a group, or sub accounts, as far as there is room."""

    _chosen: Sequence[str] = ()

    def labels(self) -> Labels:
        room = MOST_COMPARED - len(self.ids)
        return Labels(
            _("Add %(noun)s to compare") % {"noun": self.kind.noun[1]},
            submit=_("Add"),
            lead=_("Up to %(most)s can be compared at once; there is room for %(room)s more.")
            % {"most": MOST_COMPARED, "room": room},
        )

    def get_form(self, data: QueryDict | None = None) -> forms.Form:
        if self.kind is SUB_ACCOUNTS:
            accounts = AddAccountsForm(data)
            source = PickSource(
                self._accounts,
                lambda ids: [
                    _pick(self._sub_accounts.get(key) or MatrixSubject(key, key)) for key in ids
                ],
                placeholder=_("Find by name or owner"),
                nothing=_("No other sub account matches."),
                empty=_("There are no other sub accounts."),
            )
            field_of(accounts, "picked", PickField).offer(source, self.request.path)
            return accounts
        form = AddPeopleForm(data)
        field_of(form, "picked", PeopleField).offer_people(self.request.scope, self.request.path)
        offer_choices(form, "group", self._groups(), unset=_("No group"))
        return form

    def perform(self, form: forms.Form) -> str:
        chosen = split(form.cleaned_data["picked"])
        if group := form.cleaned_data.get("group"):
            chosen += self._members(group)
        others = [key for key in dict.fromkeys(chosen) if key not in self.ids]
        self._chosen = others[: MOST_COMPARED - len(self.ids)]
        left = len(others) - len(self._chosen)
        if left:
            words = _("There is room for %(most)s %(noun)s. %(count)s were left out.")
            values = {"most": MOST_COMPARED, "noun": self.kind.noun[1], "count": number(left)}
            toast(self.request, "warning", words % values)
        return ""

    def next_url(self) -> str:
        return self.url_with([*self.ids, *self._chosen])

    @cached_property
    def _sub_accounts(self) -> dict[str, MatrixSubject]:
        return {one.id: of_account(one) for one in self.request.api.accounts.list.all()}

    def _accounts(self, search: str, besides: Collection[str]) -> list[Pick]:
        try:
            sub_accounts = self._sub_accounts.values()
        except ApiError:
            if self.request.method == "GET":
                raise
            return []  # what was picked is not lost because the others cannot be read
        without = {*self.ids, *besides}
        matching = (
            one
            for one in sub_accounts
            if one.id not in without and has_words(search, (one.name, one.detail))
        )
        return [_pick(one) for one in islice(matching, _OFFERED)]

    def _groups(self) -> list[tuple[str, list[tuple[str, str]]]]:
        return [
            (_TITLES[kind], [(f"{kind} {key}", name) for key, name in of_kind])
            for kind, of_kind in groups.choices(self.request.scope).items()
            if of_kind
        ]

    def _members(self, group: str) -> list[str]:
        """Returns the mirrored members of a group, by name."""
        kind, _separator, key = group.partition(" ")
        wanted = UserFilter(groups=[key])
        if kind == GroupKind.IM_GROUP:
            wanted = UserFilter(im_groups=[key])
        members = users.find(self.request.scope, wanted, "name")
        return list(members.values_list("user_id", flat=True))


class CopySettingsView(ComparedView[CopyForm], JobFormView[CopyForm]):
    """Gives others the settings of one: all that differ, or those that were ticked."""

    is_sent_once = True

    def operation(self) -> AnyOperation:
        operation: AnyOperation = self.kind.changing
        return operation

    @cached_property
    def ticked(self) -> dict[str, str]:
        names = self.request.POST.getlist(SETTING)
        return editable(self.kind, names) if names else {}

    def labels(self) -> Labels:
        return Labels(
            _("Copy settings"),
            submit=_("Preview changes"),
            lead=_("Selected: %(settings)s.") % {"settings": ", ".join(self.ticked.values())}
            if self.ticked
            else _ALL,
            consequences=[("receipt", _("Plans are not copied."))]
            if self.kind is SUB_ACCOUNTS
            else (),
            hint=_("Nothing changes yet: you preview the changes first."),
        )

    def get_form(self, data: QueryDict | None = None) -> CopyForm:
        return CopyForm(self.subjects, len(self.ticked), data)

    def post(self, request: PortalRequest, *args: object, **kwargs: object) -> HttpResponse:
        if CONFIRMED not in request.POST:  # the boxes of the page, not this form yet
            return self.render(focused(self.get_form()))
        return super().post(request, *args, **kwargs)

    def render(self, form: CopyForm, **more: object) -> HttpResponse:
        carried = [*((SETTING, name) for name in self.ticked), (CONFIRMED, "1")]
        return super().render(form, **{"carried": carried, **more})

    def draft(self, form: CopyForm) -> Draft | None:
        source = form.cleaned_data["source"]
        only = [] if form.copies_all else list(self.ticked)
        copied_values = copied(self.kind, self.kind.read(self.request.api, source), only)
        if not copied_values.values:
            form.add_error("source", _("None of these settings has a value that can be copied."))
            return None
        names = {one.id: one.label for one in self.subjects}
        targets = [[key, names[key]] for key in form.target_ids]
        parameters = {
            "kind": self.kind.name,
            "targets": targets,
            "values": copied_values.values,
            "notes": _left_out(copied_values),
            "compared": self.ids,
        }
        count = len(copied_values.values)

        def title(targets: str) -> str:
            words = _("Copy settings from %(source)s to %(targets)s")
            if only:
                words = ngettext(
                    "Copy %(count)s setting from %(source)s to %(targets)s",
                    "Copy %(count)s settings from %(source)s to %(targets)s",
                    count,
                )
            return words % {"count": number(count), "source": names[source], "targets": targets}

        def counted() -> str:
            return f"{number(len(targets))} {self.kind.noun[len(targets) != 1]}"

        return Draft("account.settings", JobTitle(title, counted), parameters)


def _pick(one: MatrixSubject) -> Pick:
    return Pick(one.id, one.name, one.detail, one.name[:1].upper())


def _left_out(copied_values: Copied) -> list[str]:
    """Returns sentences about settings that are not copied, with the first few by name."""
    count = len(copied_values.left)
    if not count:
        return []
    named, more = ", ".join(copied_values.left[:_NAMED]), max(0, count - _NAMED)
    words = named
    if more:
        words = _("%(named)s and %(count)s more") % {"named": named, "count": number(more)}
    return [
        _("Not copied, since the source has no value of them that can be sent: %(words)s.")
        % {"words": words}
    ]
