"""The page that compares settings, and its forms."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from django import forms
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.access.form_fields import offer_choices
from portal.access.http import PortalRequest
from portal.account.services.compared import MatrixSubject, named, read
from portal.account.services.matrix import Matrix
from portal.account.subjects import COMPARED, PEOPLE
from portal.account.views.compared_words import WORDS, ComparedWords
from portal.client import ApiError
from portal.config import clock
from portal.connections.connected import connected
from portal.contract.operation import AnyOperation
from portal.directory.colleagues import PeopleField
from portal.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy, searched
from portal.ui import exports
from portal.ui.autocomplete import PickField
from portal.ui.forms.widgets import Cards, Picks
from portal.ui.numbers import as_number
from portal.ui.pages import go, page
from portal.ui.settings.catalog import (
    MOST_COMPARED,
    SUBJECT,
    ComparedKind,
    SubjectKind,
    compare_url,
)
from portal.ui.views.connected import ConnectedView, EndpointsView

TICKED = "ticked"
_FEWEST = 2  # subjects whose settings can differ


class MatrixFilter(forms.Form):
    """Filter of the settings, as it stands in the URL."""

    q = forms.CharField(required=False, max_length=200)
    show = forms.ChoiceField(required=False, choices=[("differing", ""), ("all", "")])

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.is_valid()

    @property
    def search(self) -> str:
        return str(self.cleaned_data.get("q") or "").strip()

    @property
    def in_words(self) -> str:
        """Returns the filters in one line."""
        differing = "" if self.shows_all else _("Only what differs")
        return ", ".join(filter(None, (self.search, differing)))

    @property
    def shows_all(self) -> bool:
        return self.cleaned_data.get("show") == "all"


class AddPeopleForm(forms.Form):
    """People by name, or those in a group."""

    picked = PeopleField(label=gettext_lazy("People"), several=True)
    group = forms.ChoiceField(
        label=gettext_lazy("Members of a group"),
        required=False,
        help_text=gettext_lazy("As many as fit."),
    )

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("picked") and not cleaned.get("group"):
            self.add_error("picked", _("Choose a person or a group."))
        return cleaned


class AddPickedForm(forms.Form):
    """Sub accounts by name or owner, or groups by name."""

    picked = PickField(several=True, required=True)

    def __init__(self, words: ComparedWords, data: QueryDict | None = None) -> None:
        super().__init__(data)
        picked = self.fields["picked"]
        picked.label, picked.error_messages["required"] = words.label, words.required


class CopyForm(forms.Form):
    """The source and the targets of copied settings, and which settings are copied."""

    source = forms.ChoiceField(label=gettext_lazy("Copy from"))
    targets = forms.MultipleChoiceField(
        label=pgettext_lazy("recipient", "To"),
        widget=Picks,
        help_text=gettext_lazy("The one to copy from stays as it is."),
        error_messages={"required": gettext_lazy("Choose at least one.")},
    )
    which = forms.ChoiceField(label=gettext_lazy("Settings"), widget=Cards)

    def __init__(
        self, subjects: list[MatrixSubject], ticked: int, data: QueryDict | None = None
    ) -> None:
        choices = [(one.id, one.label) for one in subjects]
        initial = {
            "source": choices[0][0] if choices else "",
            "targets": [key for key, _ in choices],
            "which": TICKED,
        }
        super().__init__(data, initial=initial)
        if ticked:
            own = ngettext("%(count)s selected setting", "%(count)s selected settings", ticked) % {
                "count": ticked
            }
            every = ("all", _("All settings that differ"))
            offer_choices(self, "which", [(TICKED, own), every])
        else:
            del self.fields["which"]
        for name in ("source", "targets"):
            offer_choices(self, name, choices)

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or {}
        if cleaned.get("targets") == [cleaned.get("source")]:
            self.add_error("targets", _("Choose another than the one to copy from."))
        return cleaned

    @property
    def copies_all(self) -> bool:
        return self.cleaned_data.get("which") != TICKED

    @property
    def target_ids(self) -> list[str]:
        return [key for key in self.cleaned_data["targets"] if key != self.cleaned_data["source"]]


@dataclass(frozen=True)
class ColumnHead:
    """The head of a column: where it leads, and the page without it."""

    subject: MatrixSubject
    url: str
    without: str


class ComparingMixin(ConnectedView):
    """A view of what is compared: `kind` is in its URL, the ids of the subjects in the query."""

    @property
    def kind(self) -> ComparedKind:
        return COMPARED[self.kwargs["kind"]]

    @property
    def words(self) -> ComparedWords:
        return WORDS[self.kind.name]

    def operation(self) -> AnyOperation:
        operation: AnyOperation = self.kind.reading
        return operation

    @cached_property
    def all_ids(self) -> list[str]:
        """Returns all ids of the query, each once."""
        ids = (key.replace("\x00", "").strip() for key in self.request.GET.getlist(SUBJECT))
        return [key for key in dict.fromkeys(ids) if key]

    @property
    def ids(self) -> list[str]:
        return self.all_ids[:MOST_COMPARED]

    @cached_property
    def subjects(self) -> list[MatrixSubject]:
        """Returns the compared subjects, with their ids as names if they cannot be read."""
        request = self.request
        try:
            return named(self.kind, request.api, request.scope, self.ids)
        except ApiError:
            return [MatrixSubject(key, key) for key in self.ids]

    def url_with(self, ids: list[str], suffix: str = "") -> str:
        return compare_url(self.request.connection.key, self.kind, ids, suffix)


class CompareSettingsView(ComparingMixin, EndpointsView):
    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        "page": ("GET", "HEAD"),
        "export": ("GET", "HEAD"),
    }

    @cached_property
    def filters(self) -> MatrixFilter:
        return MatrixFilter(self.request.GET)

    @cached_property
    def matrix(self) -> Matrix:
        request = self.request
        subjects = read(request.api, request.scope, self.kind, self.subjects)
        # Of one subject alone nothing differs.
        shows_all = self.filters.shows_all or len(subjects) < _FEWEST
        return Matrix(self.kind, subjects, searched(self.filters.search), shows_all)

    def answer_page(self, *_args: object, **_kwargs: object) -> HttpResponse:
        request, matrix = self.request, self.matrix
        can_copy = self._can_change() and len(matrix.readable) > 1
        context = {
            "matrix": matrix,
            "kind": self.kind,
            "heads": [self._head(one) for one in matrix.subjects],
            "found": sum(section.shown_count for section in matrix.sections),
            "search": self.filters.search,
            "asked": len(self.all_ids),
            "most": MOST_COMPARED,
            "is_summed": not isinstance(self.kind, SubjectKind),
            "can_copy": can_copy,
            "words": self.words,
            "tabs": list(self._tabs()),
            "here": self.url_with([]),
            "alone": self.url_with(self.ids),
            "add_url": self.url_with(self.ids, "-add") if len(self.ids) < MOST_COMPARED else "",
            "copy_url": self.url_with(self.ids, "-copy") if can_copy else "",
            "csv_url": self._file_url("csv"),
            "xlsx_url": self._file_url("xlsx"),
        }
        return page(request, "account/matrix.html", context)

    def _can_change(self) -> bool:
        kind = self.kind
        return isinstance(kind, SubjectKind) and self.request.scope.can_call(kind.changing)

    def answer_export(self, *_args: object, file: str, **_kwargs: object) -> HttpResponseBase:
        """Sends a file of the settings that the page shows for the same query."""
        if file not in exports.KINDS:
            raise Http404
        matrix = self.matrix
        pairs = [(one, row) for one in matrix.sections for row in one.rows if row.is_shown]
        columns = [
            exports.ExportColumn("group", lambda pair: pair[0].title, _("Group")),
            exports.ExportColumn("setting", lambda pair: pair[1].name, _("Name of the setting")),
            exports.ExportColumn("title", lambda pair: pair[1].title, _("Setting")),
            exports.ExportColumn("differs", lambda pair: pair[1].differs, _("Differs")),
            *(_column(place, one) for place, one in enumerate(matrix.subjects)),
        ]
        what = f"settings-of-{self.kind.name}"
        title = _("Settings: %(of)s") % {"of": self.words.title}
        by = ", ".join(filter(None, (self.filters.search, "" if matrix.shows_all else "differing")))
        export = exports.Export(
            title=title,
            name=exports.file_name(
                title, self.request.connection.name, exports.day_of(clock.now())
            ),
            what=what,
            columns=columns,
            rows=pairs,
            count=len(pairs),
            by=by,
            narrowed=self.filters.in_words,
            read_at=clock.now(),
        )
        return exports.send(self.request, file, export)

    def _head(self, subject: MatrixSubject) -> ColumnHead:
        key = subject.id
        query = self.request.GET.copy()
        query.setlist(SUBJECT, [each for each in self.ids if each != key])
        url = self.kind.url(self.request.connection.key, key)
        return ColumnHead(subject, url, f"{self.url_with([])}?{query.urlencode()}")

    def _tabs(self) -> Iterator[tuple[str, str, bool]]:
        """Yields the kinds that the user may see: the title, the address, and whether it is
        open."""
        for kind in COMPARED.values():
            if self.request.scope.can_call(kind.reading):
                url = compare_url(self.request.connection.key, kind, [])
                yield WORDS[kind.name].title, url, kind is self.kind

    def _file_url(self, file: str) -> str:
        name = f"account:compare-{self.kind.name}-export"
        url = reverse(name, args=[self.request.connection.key, file])
        return f"{url}?{self.request.GET.urlencode()}"


def _column(place: int, subject: MatrixSubject) -> exports.ExportColumn:
    return exports.ExportColumn(subject.label, lambda pair: as_number(pair[1].cells[place].words))


@require_safe
@connected(needs=PEOPLE.reading)
def compare_start(request: PortalRequest) -> HttpResponse:
    """Redirects to the kind that is administered most: sub accounts, for those who may see them."""
    kind = next(kind for kind in COMPARED.values() if request.scope.can_call(kind.reading))
    return go(request, compare_url(request.connection.key, kind, []))
