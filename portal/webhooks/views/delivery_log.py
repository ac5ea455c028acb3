"""The log of webhook deliveries, which refreshes itself."""

from collections.abc import Collection
from datetime import timedelta
from functools import cached_property
from hashlib import blake2s
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.dateformat import format as formatted
from django.utils.translation import get_language

from portal.access.http import PortalRequest, origin_of
from portal.config import clock
from portal.contract.webhooks import Webhooks
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.listing import Listing, ListSpec
from portal.ui.pages import go, page
from portal.ui.views import ActionView, Labels
from portal.ui.views.connected import ConnectedView
from portal.ui.views.listing import ListView
from portal.webhooks import deliveries, gaps
from portal.webhooks.delivery_log import (
    DeliveryFilter,
    DeliveryTable,
    find,
    key_of,
    page_of,
    words_of,
)
from portal.webhooks.models import Delivery, Gap, Subscription
from portal.webhooks.subscriptions import following

FRAGMENT = "deliveries"  # the id of the element that keeps itself fresh
AS_OF = "Switchboard-As-Of"
MOST_PLAYED = 500
_GAPS_SHOWN = 3
_GAPS_SHOWN_FOR = timedelta(days=2)
_BESIDE = ("event", "topic", "came_at")


class DeliveryListView(ListView[DeliveryFilter, QuerySet[Delivery]]):
    """The log, newest first; `open` names the delivery whose payload is shown."""

    needs = Webhooks.list
    spec = ListSpec(
        "deliveries",
        gettext_lazy("delivery"),
        gettext_lazy("deliveries"),
        export_url_name="webhooks:deliveries-export",
        keeps_views=False,
    )
    namespace = "webhooks"
    template_name = "webhooks/deliveries.html"
    filter_class = DeliveryFilter

    def list_url(self) -> str:
        return _log_url(self.request)

    def rows(self, filters: DeliveryFilter) -> QuerySet[Delivery]:
        return find(self.request.connection, filters)

    def rows_of(self, ids: Collection[str]) -> QuerySet[Delivery]:
        return Delivery.objects.none()  # nothing is selected one by one

    def get_table(self, rows: object, **options: Any) -> DeliveryTable:
        return DeliveryTable(rows, **options)

    def answer_page(self, *_args: object, **_kwargs: object) -> HttpResponse:
        if self.request.htmx.target == FRAGMENT:
            return self._fragment()
        is_subscribed = self.subscription is not None
        context = {
            "live": self._rendered(),
            "filters": self.filters,
            "as_of": _clock(),
            "has_log": self.version[0] > 0 or is_subscribed,
            "is_subscribed": is_subscribed,
        }
        return page(self.request, self.template_name, context)

    @cached_property
    def filters(self) -> DeliveryFilter:
        return DeliveryFilter(self.request.GET)

    @cached_property
    def subscription(self) -> Subscription | None:
        return following(self.request.connection)

    @cached_property
    def refusals(self) -> list[Any]:
        if self.subscription is None:
            return []
        return list(self.subscription.refusals.order_by("-last_at"))

    @cached_property
    def gaps(self) -> list[Gap]:
        own = Gap.objects.filter(connection=self.request.connection)
        lately = Q(ended_at=None) | Q(noticed_at__gt=clock.now() - _GAPS_SHOWN_FOR)
        shown = list(own.filter(lately).order_by("-noticed_at")[:_GAPS_SHOWN])
        for gap in shown:
            gap.read_at = gaps.read_again_at(gap)
        return shown

    @cached_property
    def version(self) -> tuple[int, Any]:
        """Changes with each change of the log: its newest row, and when one changed last."""
        own = Delivery.objects.filter(connection=self.request.connection)
        newest = own.order_by("-id").values_list("pk", flat=True).first()
        changed = own.order_by("-changed_at").values_list("changed_at", flat=True).first()
        return newest or 0, changed

    def _fragment(self) -> HttpResponse:
        etag = f'"{self._etag()}"'
        answer = get_conditional_response(self.request, etag=etag)
        if answer is None:
            answer = HttpResponse(self._rendered())
            answer["ETag"] = etag
        answer["Cache-Control"] = "no-cache, private"  # untranslated: a header
        answer[AS_OF] = _clock()
        patch_vary_headers(answer, ["HX-Request", "HX-Target"])
        return answer

    def _etag(self) -> str:
        """Sums up what the part shows, by a few short queries."""
        stands = self.subscription
        shown = (
            get_language(),
            self.version,
            self.request.GET.urlencode(),
            stands and (stands.pk, stands.trouble, stands.checked_at),
            [(one.why, one.count) for one in self.refusals],
            [(gap.pk, gap.ended_at, gap.read_at, gap.why) for gap in self.gaps],
            timezone.localdate(clock.now()),
            timezone.get_current_timezone_name(),
            self.request.connection.read_only,
        )
        return blake2s(repr(shown).encode(), digest_size=12).hexdigest()

    def _rendered(self) -> str:
        given = self.request.GET
        rows = self.rows(self.filters)
        count = rows.count()
        shown = page_of(
            rows, self.filters.page_size, given.get("before", ""), given.get("after", "")
        )
        opened = self._opened()
        table = self.get_table(
            shown.rows,
            opens=f"{self.request.path}{_query(given, open='')}",
            opened=opened.pk if opened else 0,
        )
        listing = Listing(self.request, self.spec, self.filters, table, count=count, number=1)
        if opened:
            table.show(_BESIDE)  # the rest stands in the panel
        context = {
            "list": listing,
            "shown": shown,
            "is_newest": not shown.newer,
            "newest_url": _query(given, before=None, after=None, open=None),
            "newer_url": _query(given, before=None, after=shown.newer, open=None),
            "older_url": _query(given, after=None, before=shown.older, open=None),
            "closed_url": _query(given, open=None),
            "play_all_url": self.url("deliveries-play-all")
            + _query(given, before=None, after=None, open=None),
            "can_play_all": 0 < count <= MOST_PLAYED,
            "opened": opened,
            "title": deliveries.title(opened.event) if opened else "",
            "subscription": self.subscription,
            "refusals": self.refusals,
            "gaps": [(gap, words_of(gap)) for gap in self.gaps],
            "etag": self._etag(),
            "kept_days": deliveries.STORED_FOR.days,
        }
        return render_to_string("webhooks/deliveries_live.html", context, self.request)

    def _opened(self) -> Delivery | None:
        key = key_of(self.request.GET.get("open", ""))
        own = Delivery.objects.filter(connection=self.request.connection)
        return None if key is None else own.filter(pk=key).first()


class CheckDeliveriesView(ConnectedView):
    """Asks the service whether the webhook stands, and has lists read again where it is needed."""

    needs = Webhooks.list
    http_method_names = ["post"]

    def post(self, request: PortalRequest) -> HttpResponse:
        subscription = following(request.connection)
        if subscription:
            messages.info(request, gaps.check(request.api, subscription))
        return go(request, f"{_log_url(request)}{_query(request.GET)}")


class PlayOneView(ConnectedView):
    """Takes one delivery to the lists again."""

    needs = Webhooks.list
    http_method_names = ["post"]

    def post(self, request: PortalRequest, delivery_id: int) -> HttpResponse:
        own = Delivery.objects.filter(connection=request.connection)
        one = get_object_or_404(own.select_related("connection__owner"), pk=delivery_id)
        [played] = deliveries.play(origin_of(request), [one])
        messages.success(request, _("Replayed. %(did)s") % {"did": played.did_in_words})
        return go(request, f"{_log_url(request)}{_query(request.GET, open=str(one.pk))}")


class PlayAllView(ActionView):
    """Takes all deliveries that the filters leave to the lists again."""

    needs = Webhooks.list
    above = ((gettext_lazy("Webhooks"), "webhooks:webhooks"),)

    @cached_property
    def filters(self) -> DeliveryFilter:
        return DeliveryFilter(self.request.GET)

    @cached_property
    def count(self) -> int:
        return find(self.request.connection, self.filters).count()

    def labels(self) -> Labels:
        by = self.filters.in_words
        words = ngettext("Replay %(count)s delivery?", "Replay %(count)s deliveries?", self.count)
        return Labels(
            words % {"count": number(self.count)},
            submit=_("Replay"),
            lead=_("These are the deliveries found by %(by)s.") % {"by": by}
            if by
            else _("These are all deliveries."),
            consequences=[
                ("refresh-cw", _("The objects they name are updated from the service.")),
                ("circle-check", _("Newer data in the lists is kept.")),
            ],
        )

    def perform(self, form: forms.Form) -> str:
        if self.filters.errors:
            form.add_error(None, _("The filters are not understood. Set them again."))
            return ""
        if self.count > MOST_PLAYED:
            form.add_error(
                None,
                _("%(count)s are too many: narrow them to %(most)s at most.")
                % {"count": number(self.count), "most": number(MOST_PLAYED)},
            )
            return ""
        matching = find(self.request.connection, self.filters).select_related("connection__owner")
        by = self.filters.in_words or "everything"
        played = deliveries.play(origin_of(self.request), matching[:MOST_PLAYED], by)
        changing = sum(one.changes for one in played)
        words = ngettext(
            "%(count)s delivery was replayed; %(changing)s changed a list.",
            "%(count)s deliveries were replayed; %(changing)s changed a list.",
            len(played),
        )
        return words % {"count": number(len(played)), "changing": number(changing)}

    def trail(self) -> list[tuple[str, str]]:
        log = f"{_log_url(self.request)}{_query(self.request.GET)}"
        return [*super().trail(), (_("Deliveries"), log)]


def _log_url(request: PortalRequest) -> str:
    return reverse("webhooks:deliveries", args=[request.connection.key])


def _query(given: QueryDict, **changes: str | None) -> str:
    """Returns the query with these values, without those that are None. An empty value comes last,
    for a value to be appended."""
    query = {name: value for name, value in given.items() if value and name not in changes}
    query |= {name: value for name, value in changes.items() if value is not None}
    return f"?{urlencode(query)}" if query else ""


def _clock() -> str:
    """Returns the present time on the viewer's clock."""
    return formatted(timezone.localtime(clock.now()), "H:i:s")
