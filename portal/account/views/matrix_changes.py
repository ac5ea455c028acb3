"""Further subjects of the comparison, and copies of settings from one to others."""

from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import islice

from django import forms
from django.http import HttpResponse, QueryDict

from portal.access.form_fields import field_of, offer_choices
from portal.access.http import PortalRequest
from portal.account.copying import editable
from portal.account.services.compared import MatrixSubject, choosable
from portal.account.subjects import KINDS, PEOPLE, SUB_ACCOUNTS
from portal.account.views.compared_words import WORDS
from portal.account.views.matrix import AddPeopleForm, AddPickedForm, ComparingMixin, CopyForm
from portal.client import ApiError
from portal.contract.operation import AnyOperation
from portal.directory import groups
from portal.directory.colleagues import PeopleField
from portal.directory.models import GroupKind
from portal.directory.settings import GROUPS, IM_GROUPS
from portal.jobs.models import JobTitle
from portal.jobs.views.drafting import Draft, JobFormView
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.autocomplete import Pick, PickField, PickSource, split
from portal.ui.forms.layout import focused
from portal.ui.pages import toast
from portal.ui.settings.catalog import MOST_COMPARED, SubjectKind
from portal.ui.views import ActionView, FormT, Labels
from portal.ui.views.chosen import CONFIRMED
from portal.ui.views.ranged import has_words

SETTING = "setting"  # the box of a row
_OFFERED = 8
_ALL = gettext_lazy(
    "All settings that differ are copied. To copy only some, select them in the table first."
)
_TITLES = {
    GroupKind.GROUP: WORDS[GROUPS.name].title,
    GroupKind.IM_GROUP: WORDS[IM_GROUPS.name].title,
}


class ComparedView(ComparingMixin, ActionView[FormT]):
    """An action from the page that compares settings, which leads back there."""

    def trail(self) -> list[tuple[str, str]]:
        return [(_("Compare settings"), self.url_with(self.ids))]


class AddSubjectsView(ComparedView):
    """Adds people, the members of a group, sub accounts or groups, as far as there is room."""

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
        if self.kind is not PEOPLE:
            picked, words = AddPickedForm(self.words, data), self.words
            source = PickSource(
                self._find,
                lambda ids: [
                    _pick(self._choosable.get(key) or MatrixSubject(key, key)) for key in ids
                ],
                placeholder=words.find,
                nothing=words.nothing,
                empty=words.none,
            )
            field_of(picked, "picked", PickField).offer(source, self.request.path)
            return picked
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
    def _choosable(self) -> dict[str, MatrixSubject]:
        return choosable(self.kind, self.request.api, self.request.scope)

    def _find(self, search: str, besides: Collection[str]) -> list[Pick]:
        try:
            others = self._choosable.values()
        except ApiError:
            if self.request.method == "GET":
                raise
            return []  # what was picked is not lost because the others cannot be read
        without = {*self.ids, *besides}
        matching = (
            one
            for one in others
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
        kind, _separator, key = group.partition(" ")
        of_kind = IM_GROUPS if kind == GroupKind.IM_GROUP else GROUPS
        return of_kind.member_ids(self.request.scope, key)


class CopySettingsView(ComparedView[CopyForm], JobFormView[CopyForm]):
    """Gives others the settings of one: all that differ, or those that were ticked."""

    is_sent_once = True

    @property
    def kind(self) -> SubjectKind:
        return KINDS[self.kwargs["kind"]]

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

    def draft(self, form: CopyForm) -> Draft:
        source = form.cleaned_data["source"]
        only = [] if form.copies_all else list(self.ticked)
        names = {one.id: one.label for one in self.subjects}
        targets = [[key, names[key]] for key in form.target_ids]
        parameters = {
            "kind": self.kind.name,
            "targets": targets,
            "source": [source, names[source]],
            "only": only,
            "compared": self.ids,
        }
        count = len(only)

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
