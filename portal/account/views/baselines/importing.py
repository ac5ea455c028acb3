"""A baseline from a YAML document: read, reviewed against the one of the same name, saved."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from portal.access.grants import Can
from portal.access.origin import origin_of
from portal.account.baseline_forms import BaselineImportForm
from portal.account.jobs import baseline_schedule
from portal.account.models import Baseline, Reach
from portal.account.services.baselines import document, reach, saving
from portal.account.services.baselines.comparing import known_settings
from portal.account.services.baselines.document import Document
from portal.account.services.baselines.saving import BaselineInput, NameTaken
from portal.account.services.baselines.yaml_reading import MOST, YamlFault, decode
from portal.account.services.subjects import KINDS
from portal.account.views.baselines.found import baselines_url
from portal.contract.users import Users
from portal.directory.groups import GROUPS
from portal.directory.users import USERS
from portal.mirror.refresh import mark_viewed
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.errors import errors_to_form
from portal.ui.uploads import is_too_large
from portal.ui.views import ActionView, Labels

_NOT_WANTED = gettext_lazy("Any value")
# The lists that say what there is of a scope.
_MIRRORED = {Reach.GROUP: (USERS, GROUPS), Reach.DEPARTMENT: (USERS,)}


@dataclass(frozen=True)
class BaselineChange:
    """A change of a baseline, in words."""

    what: str
    old: str
    new: str


class ImportBaselineView(ActionView):
    """Takes a document in and shows what it changes; saves it once that was seen."""

    template_name = "account/baseline_import.html"
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

    def cancel_url(self) -> str:
        return baselines_url(self.request)

    def context(self) -> dict[str, Any]:
        return {"trail": [(_("Baselines"), self.cancel_url())]}

    def get_form(self, data: Any = None) -> BaselineImportForm:
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
                text = self._text(form)
                found = document.parse(text)
                wanted, earlier = self._wanted(found)
            except YamlFault as problem:
                form.refuse(str(problem))
        if form.errors:
            return self.render(form)
        seen = self.request.POST.get("seen")  # what the review was against
        if seen != document.version_of(earlier):
            return self._review(text, wanted, earlier, is_new=seen is None)
        try:
            self.saved = saving.save(
                origin_of(self.request), self.request.connection, wanted, earlier
            )
        except NameTaken:
            form.refuse(
                _("A baseline “%(name)s” was set in the meantime. Review it again.")
                % {"name": wanted.name}
            )
            return self.render(form)
        baseline_schedule.ask(self.saved)
        return self.go_on(_("%(name)s was saved. It is being checked.") % {"name": self.saved})

    def next_url(self) -> str:
        return reverse("account:baseline", args=[self.request.connection.key, self.saved.pk])

    def _text(self, form: BaselineImportForm) -> str:
        content = form.content()
        return decode(content) if isinstance(content, bytes) else content

    def _wanted(self, found: Document) -> tuple[BaselineInput, Baseline | None]:
        """Returns the baseline of the document, and the one that it replaces."""
        request, kind = self.request, KINDS[found.kind]
        if not Can(request.scope).call(kind.changing):
            raise YamlFault(
                _("Your role does not allow baselines for %(noun)s.") % {"noun": kind.noun[1]}
            )
        own = Baseline.objects.filter(connection=request.connection, name__iexact=found.name)
        earlier = own.first()
        if earlier and earlier.kind != found.kind:
            noun = KINDS[earlier.kind].noun[1]
            raise YamlFault(
                _("There is a baseline “%(name)s” for %(noun)s. Choose another name.")
                % {"name": earlier, "noun": noun}
            )
        if found.scope in _MIRRORED:
            for mirrored in _MIRRORED[found.scope]:
                if mark_viewed(request.connection, mirrored).refreshed_at is None:
                    words = _("The list of %(noun)s is being loaded. Try again in a moment.") % {
                        "noun": mirrored.noun
                    }
                    raise YamlFault(words)
        targets = document.targets_of(found, request.scope, request.api)
        return BaselineInput(found.name, found.kind, found.scope, targets, found.values), earlier

    def _review(
        self, text: str, wanted: BaselineInput, earlier: Baseline | None, *, is_new: bool
    ) -> HttpResponse:
        lines = _lines(wanted, earlier)
        context = {
            "text": text,
            "wanted": wanted,
            "earlier": earlier,
            "noun": KINDS[wanted.kind].noun[1],
            "applies_to": _applies_to(wanted),
            "lines": lines,
            "seen": document.version_of(earlier),
            "is_new": is_new,
            "is_same": earlier is not None and not lines,
        }
        return self.render(BaselineImportForm(), **context)


def _lines(wanted: BaselineInput, earlier: Baseline | None) -> list[BaselineChange]:
    """Returns the changes by the document, or, of a new baseline, all its settings."""
    old = earlier.values if earlier else {}
    lines = []
    if earlier and earlier.name != wanted.name:
        lines.append(BaselineChange(_("Name"), earlier.name, wanted.name))
    if earlier and _is_other_scope(wanted, earlier):
        lines.append(BaselineChange(_("Applies to"), reach.in_words(earlier), _applies_to(wanted)))
    for name, known in known_settings(wanted.kind).items():
        if old.get(name) != wanted.values.get(name):
            before, after = (
                known.in_words(values[name]) if name in values else _NOT_WANTED
                for values in (old, wanted.values)
            )
            lines.append(BaselineChange(known.full_title, before, after))
    return lines


def _is_other_scope(wanted: BaselineInput, earlier: Baseline) -> bool:
    ids = {key for key, _ in wanted.targets}
    return wanted.scope != earlier.scope or ids != set(earlier.target_ids)


def _applies_to(wanted: BaselineInput) -> str:
    targets = [list(target) for target in wanted.targets]
    return reach.in_words(Baseline(kind=wanted.kind, scope=wanted.scope, targets=targets))
