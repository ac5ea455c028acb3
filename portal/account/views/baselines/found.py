"""The baseline of the path, for those whose role allows what it is about."""

from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from django.urls import reverse

from portal.access.audit import Act
from portal.access.calls import check
from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.account.models import Baseline
from portal.account.services.baselines import saving
from portal.account.services.subjects import KINDS, SubjectKind
from portal.contract.users import Users
from portal.translation import gettext as _
from portal.ui.views import ActionView
from portal.ui.views.connected import ConnectedView


def baselines_url(request: PortalRequest) -> str:
    return reverse("account:baselines", args=[request.connection.key])


def readable_kinds(request: PortalRequest) -> list[str]:
    """The kinds whose settings the person may look at."""
    can = Can(request.scope)
    return [kind.name for kind in KINDS.values() if can.call(kind.reading)]


class OfBaselineView(ConnectedView):
    """A view of one baseline, which `changes` it, or what it is about, or only shows it."""

    needs = Users.settings
    changes: ClassVar[bool] = False

    baseline: Baseline

    @property
    def kind(self) -> SubjectKind:
        return KINDS[self.baseline.kind]

    def prepare(self) -> None:
        own = Baseline.objects.select_related("owner", "connection__owner", "job")
        self.baseline = get_object_or_404(
            own, pk=self.kwargs["baseline_id"], connection=self.request.connection
        )
        needed = self.kind.changing if self.changes else self.kind.reading
        check(self.request.scope, needed)

    def page_url(self, name: str = "") -> str:
        args = [self.request.connection.key, self.baseline.pk]
        return reverse(f"account:baseline{name}", args=args)


class BaselineActionView(OfBaselineView, ActionView):
    """An action on a baseline."""

    needs = Users.update_settings
    changes = True

    def cancel_url(self) -> str:
        return self.page_url()

    def context(self) -> dict[str, Any]:
        above = [
            (_("Baselines"), baselines_url(self.request)),
            (str(self.baseline), self.page_url()),
        ]
        return {"trail": above}

    def note(self, act: Act = Act.BASELINE_SET) -> None:
        saving.note(origin_of(self.request), act, self.baseline)
