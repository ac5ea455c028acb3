"""Setting a baseline, and changing one: its name, whom it is for, and what it wants."""

from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.urls import reverse

from portal.access.calls import check
from portal.access.origin import origin_of
from portal.account.baseline_forms import FORMS, BaselineForm
from portal.account.jobs import baseline_schedule
from portal.account.models import Baseline, Reach
from portal.account.services.baselines import reach, saving
from portal.account.services.baselines.comparing import known_settings
from portal.account.services.baselines.reach import Target
from portal.account.services.baselines.saving import BaselineInput, NameTaken
from portal.account.services.subjects import KINDS, PEOPLE, SubjectKind
from portal.account.views.baselines.found import BaselineActionView, baselines_url
from portal.client import ApiError
from portal.contract.users import Users
from portal.directory.groups import GROUPS
from portal.directory.users import USERS
from portal.mirror.refresh import mark_viewed
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.settings import Values
from portal.ui.views import ActionView, Labels

_TAKEN = gettext_lazy("Another baseline has this name.")


class _EditorView(ActionView):
    """The form of a baseline, whose settings are found by a word."""

    template_name = "account/baseline_form.html"
    needs = Users.update_settings

    saved: Baseline

    @property
    def earlier(self) -> Baseline | None:
        """The baseline that is changed."""
        return None

    @property
    def edited(self) -> SubjectKind:
        """Returns the kind of subjects of the baseline."""
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
                mark_viewed(request.connection, mirrored)
            return {
                Reach.GROUP: reach.group_choices(request.scope),
                Reach.DEPARTMENT: reach.department_choices(request.scope),
            }
        try:
            return {Reach.CHOSEN: reach.accounts(request.api)}
        except ApiError:
            if data is None:
                raise
            # What was typed stays, though nobody can say now what the accounts are called.
            return {Reach.CHOSEN: [(key, key) for key in data.getlist("accounts")]}

    def perform(self, form: BaselineForm) -> str:
        found, targets = form.chosen_scope()
        wanted = BaselineInput(
            form.cleaned_data["name"], self.edited.name, found, targets, form.wanted()
        )
        request = self.request
        try:
            self.saved = saving.save(origin_of(request), request.connection, wanted, self.earlier)
        except NameTaken:
            form.add_error("name", _TAKEN)
            return ""
        baseline_schedule.ask(self.saved)
        return _("%(name)s was saved. It is being checked.") % {"name": self.saved}

    def next_url(self) -> str:
        return reverse("account:baseline", args=[self.request.connection.key, self.saved.pk])

    def render(self, form: Any, **more: Any) -> HttpResponse:
        return super().render(form, edited=self.edited, **more)


class NewBaselineView(_EditorView):
    """Sets a baseline: from nothing, or `from` what somebody has now."""

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
        known = known_settings(self.edited.name)
        held = self.edited.read(self.request.api, subject_id)
        return {name: value for name, value in held.items() if name in known}

    def labels(self) -> Labels:
        return Labels(
            _("New baseline for %(noun)s") % {"noun": self.edited.noun[1]},
            submit=_("Save baseline"),
        )

    def cancel_url(self) -> str:
        return baselines_url(self.request)

    def context(self) -> dict[str, Any]:
        return {"trail": [(_("Baselines"), self.cancel_url())]}


class EditBaselineView(BaselineActionView, _EditorView):
    """Changes a baseline; what is still otherwise than wanted stays known."""

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
