"""The page on which an administrator sets the quality thresholds of a connection."""

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from portal.access.http import PortalRequest, origin_of
from portal.access.roles import Role
from portal.connections.connected import connected
from portal.contract.metrics import Metrics
from portal.dashboards.services.session.measures import DEFAULTS, LIMITS, MeasureLimit
from portal.dashboards.services.session.quality import PairByLimit, pairs_of, set_pairs
from portal.translation import gettext as _, gettext_lazy
from portal.ui.pages import go, page, toast
from portal.ui.preferences import way_back

_MOST = 1_000_000
# By the level, and whether more is worse.
_FROM = {
    ("fair", True): gettext_lazy("%(title)s, fair from (%(unit)s)"),
    ("poor", True): gettext_lazy("%(title)s, poor from (%(unit)s)"),
    ("fair", False): gettext_lazy("%(title)s, fair below (%(unit)s)"),
    ("poor", False): gettext_lazy("%(title)s, poor below (%(unit)s)"),
}


class ThresholdsForm(forms.Form):
    """A form of two numbers for each measure; a measure without both is not judged."""

    def __init__(self, data: QueryDict | None, pairs: PairByLimit) -> None:
        super().__init__(data)
        for one in LIMITS:
            pair = pairs[one.name]
            for at, word in enumerate(("fair", "poor")):
                title = _FROM[word, one.is_worse_up] % {"title": one.title, "unit": one.unit}
                self.fields[f"{one.name}-{word}"] = forms.FloatField(
                    label=title,
                    required=False,
                    min_value=0,
                    max_value=_MOST,
                    initial=f"{pair[at]:g}" if pair else "",
                    widget=forms.NumberInput(attrs={"step": "any", "aria-label": title}),
                )

    @property
    def rows(self) -> list[tuple[MeasureLimit, tuple[forms.BoundField, forms.BoundField]]]:
        return [(one, (self[f"{one.name}-fair"], self[f"{one.name}-poor"])) for one in LIMITS]

    def clean(self) -> None:
        for one in LIMITS:
            fair, poor = (self.cleaned_data.get(f"{one.name}-{word}") for word in ("fair", "poor"))
            is_wrong = any(f"{one.name}-{word}" in self.errors for word in ("fair", "poor"))
            if (fair is None) != (poor is None) and not is_wrong:
                empty = "fair" if fair is None else "poor"
                self.add_error(f"{one.name}-{empty}", _("Enter both values, or neither."))
            elif fair is None or poor is None:
                continue
            elif one.is_worse_up and poor <= fair:
                self.add_error(f"{one.name}-poor", _("Poor has to be higher than fair."))
            elif not one.is_worse_up and poor >= fair:
                self.add_error(f"{one.name}-poor", _("Poor has to be lower than fair."))

    @property
    def pairs(self) -> PairByLimit:
        given = {}
        for one in LIMITS:
            fair, poor = (self.cleaned_data[f"{one.name}-{word}"] for word in ("fair", "poor"))
            given[one.name] = None if fair is None else (fair, poor)
        return given


@require_http_methods(["GET", "POST"])
@connected(needs=Metrics.meeting_quality)
def edit(request: PortalRequest) -> HttpResponse:
    """Edits two numbers for each measure; with `reset` restores the defaults."""
    if request.scope.role != Role.ADMINISTRATOR:
        raise PermissionDenied
    connection = request.connection
    here = reverse("dashboards:thresholds", args=[connection.key])
    request.listed_under = reverse("dashboards:quality", args=[connection.key])
    if request.method == "POST" and "reset" in request.POST:
        set_pairs(origin_of(request), connection, dict(DEFAULTS))
        toast(request, "good", _("Quality thresholds reset."))
        return go(request, here)
    form = ThresholdsForm(request.POST if request.method == "POST" else None, pairs_of(connection))
    if form.is_valid():
        set_pairs(origin_of(request), connection, form.pairs)
        toast(request, "good", _("Quality thresholds saved."))
        back = way_back(request)
        return go(request, here if back == "/" else back)
    context = {
        "form": form,
        "next": request.POST.get("next", request.GET.get("next", "")),
        "is_changed": _is_changed(form),
    }
    return page(
        request, "dashboards/thresholds.html", context, status=422 if form.is_bound else 200
    )


def _is_changed(form: ThresholdsForm) -> bool:
    """Returns whether other values than the defaults are set."""
    return any(
        str(form[f"{one.name}-{word}"].initial or "") != f"{DEFAULTS[one.name][at]:g}"
        for one in LIMITS
        for at, word in enumerate(("fair", "poor"))
    )
