"""The pages of the editor of settings, and the way from a list to them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Generic, cast

from django.forms import BoundField
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django_htmx.http import retarget, trigger_client_event

from portal.access.http import PortalRequest
from portal.contract.operation import AnyOperation
from portal.translation import gettext as _, ngettext, number, searched
from portal.ui.errors import errors_to_form
from portal.ui.forms import ContractForm
from portal.ui.forms.layout import unsign
from portal.ui.pages import DIALOG, DIALOG_TARGET, SHELL, go, toast
from portal.ui.selection import SelectionRefused
from portal.ui.settings.catalog import (
    MOST_COMPARED,
    ComparedKind,
    Setting,
    SettingGroup,
    SettingsCatalog,
    Values,
    compare_url,
    values_of,
)
from portal.ui.views.action import ModelT
from portal.ui.views.connected import EndpointsView
from portal.ui.views.listing import FilterT, ListView, RowsT

PAGE = "ui/settings/page.html"
_SEARCH = ("q", "different")
COMPARING = ("GET", "HEAD", "POST")


@dataclass(frozen=True)
class SettingRow:
    """A setting on the page: what the service reported, and the field that changes it."""

    setting: Setting
    value: Any
    field: BoundField | None
    is_match: bool
    is_changed: bool

    @property
    def words(self) -> str:
        return self.setting.in_words(self.value)

    @property
    def default_words(self) -> str:
        return self.setting.in_words(self.setting.default)

    @property
    def differs(self) -> bool:
        return self.setting.differs(self.value)

    @property
    def is_wrong(self) -> bool:
        return bool(self.field and self.field.errors)

    @property
    def is_shown(self) -> bool:
        return self.is_match or self.is_wrong

    @property
    def as_input(self) -> str:
        """Returns the value as its input has it, so that the browser can see what was changed."""
        if self.value is None:
            return ""
        return str(self.value).lower() if isinstance(self.value, bool) else str(self.value)


@dataclass(frozen=True)
class SettingSection:
    """A group of settings on the page."""

    group: SettingGroup
    rows: list[SettingRow]

    @property
    def shown_count(self) -> int:
        return sum(row.is_shown for row in self.rows)


@dataclass(frozen=True)
class SettingSearch:
    """The search in settings, in the query of a page or in the form that comes back."""

    text: str
    only_different: bool

    def finds(self, setting: Setting, value: object) -> bool:
        if self.only_different and not setting.differs(value):
            return False
        return setting.matches(searched(self.text))


@dataclass(frozen=True)
class SettingsLink:
    """Another page that takes these settings up."""

    words: str
    icon: str
    url: str


class SettingsView(EndpointsView, Generic[ModelT]):
    """The settings of something: a page to change them on, a review of old and new, and saving.

        path("settings/", RoomSettings.as_view(), name="settings"),
        path("settings/review/", RoomSettings.as_view(endpoint="review"), name="settings-review"),
        path("settings/save/", RoomSettings.as_view(endpoint="save"), name="settings-save"),

    `needs` is the operation that reads them, `needs_to_change` the one that changes them; only what
    differs from what the service holds is sent.
    """

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        "page": ("GET", "HEAD", "POST"),
        "review": ("GET", "HEAD", "POST"),
        "save": ("GET", "HEAD", "POST"),
    }
    catalog: ClassVar[SettingsCatalog]
    form_class: type[ContractForm[ModelT]]
    needs_to_change: ClassVar[Any]  # an `Operation`

    def read(self) -> Values:
        """Returns the service's present values. Raises `ApiError`."""
        raise NotImplementedError

    def save(self, update: ModelT) -> None:
        """Sends the changed settings. Raises `ApiError`."""
        raise NotImplementedError

    def show(self, context: Mapping[str, object], status: int) -> HttpResponse:
        """Renders the page around `PAGE`."""
        raise NotImplementedError

    def whose(self) -> str:
        """Returns the name of the subject of these settings."""
        raise NotImplementedError

    def breadcrumbs(self) -> list[tuple[str, str]]:
        """Returns the pages above the review: what each is called, and its address."""
        raise NotImplementedError

    def url_of(self, endpoint: str) -> str:
        """Returns the address of one of the three pages."""
        raise NotImplementedError

    def links(self) -> list[SettingsLink]:
        """Returns links to other pages that use these settings."""
        return []

    def operation(self) -> AnyOperation:
        only_reads = self.endpoint == "page" and self.request.method != "POST"
        operation: AnyOperation = self.needs if only_reads else self.needs_to_change
        return operation

    def answer_page(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Shows all settings; a POST shows them as typed, without sending anything."""
        if self.request.method == "POST":
            values = self._opened_with()
            return self._show(values, self.form_class(self.request.POST, initial=values))
        values = self.read()
        may_change = self.request.scope.can_call(self.needs_to_change)
        return self._show(values, self.form_class(initial=values) if may_change else None)

    def answer_review(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Shows old and new of everything that was changed, before it is saved."""
        request = self.request
        if request.method != "POST":
            return go(request, self.url_of("page"))
        values, form = self._now()
        if not form.is_valid():
            return self._back_to_form(values, form)
        changes = self.catalog.changes(values, values_of(form.changes()))
        if not changes:
            toast(request, "neutral", _("All settings are as they were. There is nothing to save."))
            return self._back_to_form(values, form)
        context = {
            "whose": self.whose(),
            "breadcrumbs": self.breadcrumbs(),
            "changes": changes,
            "carried": list(_carried(form)),
            "here": self.url_of("page"),
            "save_url": self.url_of("save"),
            "layout": DIALOG if request.htmx else SHELL,
        }
        response = render(request, "ui/settings/review.html", context)
        return retarget(response, f"#{DIALOG_TARGET}") if request.htmx else response

    def answer_save(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Sends what was changed, unless another user has changed the same."""
        if self.request.method != "POST":
            return go(self.request, self.url_of("page"))
        values, form = self._now()
        update = form.changes() if form.is_valid() else None
        if update:
            with errors_to_form(form):
                self.save(update)
        if not form.is_valid():
            return self._back_to_form(values, form)
        count = len(self.catalog.changes(values, values_of(update)))
        words = ngettext(
            "%(count)s setting was changed.", "%(count)s settings were changed.", count
        ) % {"count": count}
        if not count:
            words = _("Nothing was changed.")
        toast(self.request, "good" if count else "neutral", words)
        return go(self.request, self.url_of("page"))

    def _opened_with(self) -> Values:
        """Returns the settings as they were when the form was opened."""
        return unsign(self.request.POST.get("was", "")) or {}

    def _now(self) -> tuple[Values, ContractForm[ModelT]]:
        """Returns the service's present values and the form typed over them; over its earlier
        values if the call fails."""
        values, typed = self._opened_with(), self.request.POST
        form = self.form_class(typed, initial=values)
        with errors_to_form(form):
            values = self.read()
            form = self.form_class(typed, initial=values)
        return values, form

    def _back_to_form(self, values: Values, form: ContractForm) -> HttpResponse:
        """Returns the form with what was typed, and any dialog closed."""
        response = self._show(values, form, status=422 if form.errors else 200)
        return trigger_client_event(response, "close-dialog")

    def _show(self, values: Values, form: ContractForm | None, status: int = 200) -> HttpResponse:
        typed = self.request.POST if self.request.method == "POST" else self.request.GET
        search = SettingSearch(typed.get("q", "").strip(), "different" in typed)
        sections = self._sections(values, form, search)
        context = {
            "form": form,
            "sections": sections,
            "search": search,
            "found": sum(section.shown_count for section in sections),
            "total": sum(len(section.rows) for section in sections),
            "here": self.url_of("page"),
            "review_url": self.url_of("review"),
            "links": self.links(),
        }
        return self.show(context, status)

    def _sections(
        self, values: Values, form: ContractForm | None, search: SettingSearch
    ) -> list[SettingSection]:
        changed = set(form.changed_data) if form and form.is_bound else set()
        return [
            SettingSection(
                group,
                [
                    SettingRow(
                        setting,
                        values.get(setting.name),
                        form[setting.name] if form and setting.is_editable else None,
                        search.finds(setting, values.get(setting.name)),
                        setting.name in changed,
                    )
                    for setting in group.settings
                ],
            )
            for group in self.catalog.groups
        ]


def _carried(form: ContractForm) -> Iterator[tuple[str, str]]:
    """Yields all that was typed, to be carried along while it is reviewed."""
    for name, values in cast(QueryDict, form.data).lists():
        if name in form.fields or name in _SEARCH:
            yield from ((name, value) for value in values)


def compare(
    request: PortalRequest, kind: ComparedKind, ids: Iterable[str], count: int
) -> HttpResponse:
    """Leads to the comparison, and reports how many had no room; `count` is how many there are."""
    some = list(islice(ids, MOST_COMPARED))
    if count > len(some):
        words = _(
            "Up to %(most)s %(noun)s can be compared at once. %(left)s of %(count)s were left out."
        ) % {
            "most": MOST_COMPARED,
            "noun": kind.noun[1],
            "left": number(count - len(some)),
            "count": number(count),
        }
        toast(request, "warning", words)
    return go(request, compare_url(request.connection.key, kind, some))


class ComparedListView(ListView[FilterT, RowsT]):
    """A list whose rows have settings: a POST of `compare` is about those that were selected, a GET
    about all that the list shows.

        methods = {**ListView.methods, "compare": COMPARING}
        path("compare/", RoomList.as_view(endpoint="compare"), name="compare"),
    """

    compares: ClassVar[ComparedKind]
    subject_key: ClassVar[str] = "id"

    def compared(self) -> ComparedKind:
        return self.compares

    def answer_compare(self, *_args: object, **_kwargs: object) -> HttpResponse:
        request = self.request
        try:
            rows = (
                self.selected()[0]
                if request.method == "POST"
                else self.rows(self.get_filters(request.GET))
            )
        except SelectionRefused as refused:
            toast(request, "warning", str(refused))
            return go(request, self.list_url())
        count, read = self.counted(rows)
        ids = (str(getattr(row, self.subject_key)) for row in read)
        return compare(request, self.compared(), ids, count)
