"""Pages that add, edit and import baselines."""

from dataclasses import dataclass

from django.http import Http404, HttpResponse, QueryDict
from django.urls import reverse

from portal.access.http import origin_of
from portal.account.baselines import document, jobs
from portal.account.baselines.document import MOST, Document, YamlFault, decode
from portal.account.baselines.forms import FORMS, BaselineForm, BaselineImportForm
from portal.account.baselines.listing import BASELINES, BaselineActionView
from portal.account.baselines.services import (
    NameTaken,
    Target,
    department_choices,
    group_choices,
    limits_of,
    save_baseline,
    scope_in_words,
    sub_accounts,
)
from portal.account.models import Baseline, Reach
from portal.account.subjects import KINDS, PEOPLE, SubjectKind
from portal.client import ApiError
from portal.connections.calls import check
from portal.contract.users import Users
from portal.directory.groups import GROUPS
from portal.directory.users import USERS
from portal.mirror.mirrored_list import MirroredList
from portal.translation import gettext as _, gettext_lazy
from portal.ui.errors import errors_to_form
from portal.ui.settings.catalog import Values
from portal.ui.uploads import is_too_large
from portal.ui.views import ActionView, Labels

_DUPLICATE_NAME = gettext_lazy("Another baseline has this name.")
_NOT_WANTED = gettext_lazy("Any value")
# The mirrored lists of possible targets.
_MIRRORED: dict[str, tuple[MirroredList, ...]] = {
    Reach.GROUP: (USERS, GROUPS),
    Reach.DEPARTMENT: (USERS,),
}


class _EditorView(ActionView[BaselineForm]):
    """The form of a baseline, whose settings are found by a word."""

    template_name = "account/baseline_form.html"
    above = BASELINES
    needs = Users.update_settings

    saved: Baseline

    @property
    def earlier(self) -> Baseline | None:
        return None

    @property
    def edited(self) -> SubjectKind:
        raise NotImplementedError

    def values(self) -> Values | None:
        """Returns the initial values of a new baseline. Raises `ApiError`."""
        return None

    def get_form(self, data: QueryDict | None = None) -> BaselineForm:
        values = self.values() if data is None else None
        return FORMS[self.edited.name](
            data, targets=self._targets(data), baseline=self.earlier, values=values
        )

    def _targets(self, data: QueryDict | None) -> dict[Reach, list[Target]]:
        request = self.request
        if self.edited is PEOPLE:
            for mirrored in (USERS, GROUPS):
                mirrored.mark_viewed(request.connection)
            return {
                Reach.GROUP: group_choices(request.scope),
                Reach.DEPARTMENT: department_choices(request.scope),
            }
        try:
            return {Reach.CHOSEN: sub_accounts(request.api)}
        except ApiError:
            if data is None:
                raise
            # The typed accounts stay in the form, though their names cannot be read.
            return {Reach.CHOSEN: [(key, key) for key in data.getlist("accounts")]}

    def perform(self, form: BaselineForm) -> str:
        reach, targets = form.chosen_scope()
        wanted = Baseline(
            connection=self.request.connection,
            name=form.cleaned_data["name"],
            kind=self.edited.name,
            scope=reach,
            targets=targets,
            values=form.wanted(),
            limits=limits_of(self.request.scope),
        )
        try:
            self.saved = save_baseline(origin_of(self.request), wanted, self.earlier)
        except NameTaken:
            form.add_error("name", _DUPLICATE_NAME)
            return ""
        jobs.request_check(self.saved)
        return _("%(name)s was saved. It is being checked.") % {"name": self.saved}

    def next_url(self) -> str:
        return reverse("account:baseline", args=[self.request.connection.key, self.saved.pk])

    def render(self, form: BaselineForm, **more: object) -> HttpResponse:
        return super().render(form, edited=self.edited, **more)


class NewBaselineView(_EditorView):
    """Adds a baseline: an empty one, or one `from` the settings of a person or sub account."""

    @property
    def edited(self) -> SubjectKind:
        return KINDS[self.kwargs["subject_kind"]]

    def prepare(self) -> None:
        if self.kwargs["subject_kind"] not in KINDS:
            raise Http404
        check(self.request.scope, self.edited.changing)

    def values(self) -> Values | None:
        subject_id = self.request.GET.get("from")
        if not subject_id:
            return None
        settings = self.edited.catalog.editable
        current = self.edited.read(self.request.api, subject_id)
        return {name: value for name, value in current.items() if name in settings}

    def labels(self) -> Labels:
        return Labels(
            _("Add baseline for %(noun)s") % {"noun": self.edited.noun[1]},
            submit=_("Save baseline"),
        )


class EditBaselineView(BaselineActionView, _EditorView):
    """Changes a baseline; drift from settings that are wanted as before stays."""

    @property
    def earlier(self) -> Baseline | None:
        return self.baseline

    @property
    def edited(self) -> SubjectKind:
        return self.kind

    def labels(self) -> Labels:
        return Labels(
            _("Edit %(baseline)s") % {"baseline": self.baseline}, submit=_("Save baseline")
        )


@dataclass(frozen=True)
class BaselineChange:
    what: str
    old: str
    new: str


class ImportBaselineView(ActionView[BaselineImportForm]):
    """Shows the changes by a document, and saves it after this review."""

    template_name = "account/baseline_import.html"
    above = BASELINES
    needs = Users.update_settings

    saved: Baseline

    def labels(self) -> Labels:
        return Labels(
            _("Import baseline"),
            submit=_("Review"),
            lead=_(
                "A YAML document as “Export YAML” gives it. A baseline of the same name is "
                "replaced. Nothing is saved before you have seen what changes."
            ),
        )

    def get_form(self, data: QueryDict | None = None) -> BaselineImportForm:
        return BaselineImportForm(data, self.request.FILES if data is not None else None)

    def submit(self, form: BaselineImportForm) -> HttpResponse:
        if is_too_large(self.request):
            form.errors.clear()
            form.add_error(
                "file", _("The file is larger than %(size)s kB.") % {"size": MOST // 1000}
            )
            return self.render(form)
        if not form.is_valid():
            return self.render(form)
        with errors_to_form(form):
            try:
                content = form.content()
                text = decode(content) if isinstance(content, bytes) else content
                wanted, earlier = self._wanted(document.parse(text))
            except YamlFault as problem:
                form.refuse(str(problem))
        if form.errors:
            return self.render(form)
        seen = self.request.POST.get("seen")  # what the review was against
        if seen != document.version_of(earlier):
            return self._review(text, wanted, earlier, is_new=seen is None)
        try:
            self.saved = save_baseline(origin_of(self.request), wanted, earlier)
        except NameTaken:
            form.refuse(
                _("A baseline “%(name)s” was set in the meantime. Review it again.")
                % {"name": wanted.name}
            )
            return self.render(form)
        jobs.request_check(self.saved)
        return self.go_on(_("%(name)s was saved. It is being checked.") % {"name": self.saved})

    def next_url(self) -> str:
        return reverse("account:baseline", args=[self.request.connection.key, self.saved.pk])

    def _wanted(self, document_read: Document) -> tuple[Baseline, Baseline | None]:
        """Returns the baseline of the document, and the one that it replaces."""
        request, wanted = self.request, document_read.baseline
        kind = KINDS[wanted.kind]
        if not request.scope.can_call(kind.changing):
            raise YamlFault(
                _("Your role does not allow baselines for %(noun)s.") % {"noun": kind.noun[1]}
            )
        own = Baseline.objects.filter(connection=request.connection, name__iexact=wanted.name)
        earlier = own.first()
        if earlier and earlier.kind != wanted.kind:
            noun = KINDS[earlier.kind].noun[1]
            raise YamlFault(
                _("There is a baseline “%(name)s” for %(noun)s. Choose another name.")
                % {"name": earlier, "noun": noun}
            )
        for mirrored in _MIRRORED.get(wanted.scope, ()):
            if mirrored.mark_viewed(request.connection).refreshed_at is None:
                words = _("The list of %(noun)s is being loaded. Try again in a moment.")
                raise YamlFault(words % {"noun": mirrored.noun})
        return document.baseline_on(document_read, request.scope, request.api), earlier

    def _review(
        self, text: str, wanted: Baseline, earlier: Baseline | None, *, is_new: bool
    ) -> HttpResponse:
        lines = _lines(wanted, earlier)
        context = {
            "text": text,
            "wanted": wanted,
            "earlier": earlier,
            "noun": KINDS[wanted.kind].noun[1],
            "applies_to": scope_in_words(wanted),
            "lines": lines,
            "seen": document.version_of(earlier),
            "is_new": is_new,
            "is_same": earlier is not None and not lines,
        }
        return self.render(BaselineImportForm(), **context)


def _lines(wanted: Baseline, earlier: Baseline | None) -> list[BaselineChange]:
    """Returns the changes by the document, or, of a new baseline, all its settings."""
    old = earlier.values if earlier else {}
    lines = []
    if earlier and earlier.name != wanted.name:
        lines.append(BaselineChange(_("Name"), earlier.name, wanted.name))
    if earlier and (
        wanted.scope != earlier.scope or set(wanted.target_ids) != set(earlier.target_ids)
    ):
        lines.append(
            BaselineChange(_("Applies to"), scope_in_words(earlier), scope_in_words(wanted))
        )
    for name, setting in KINDS[wanted.kind].catalog.editable.items():
        if old.get(name) != wanted.values.get(name):
            before, after = (
                setting.in_words(values[name]) if name in values else _NOT_WANTED
                for values in (old, wanted.values)
            )
            lines.append(BaselineChange(setting.full_title, before, after))
    return lines
