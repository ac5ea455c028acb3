"""Ending a session that runs, and deleting one or one of its occurrences."""

from functools import cached_property

from django.http import Http404, HttpResponse
from django.urls import reverse

from portal.access.http import PortalRequest
from portal.contract import sessions as contract
from portal.sessions.services import losses
from portal.sessions.services.live import course
from portal.sessions.services.losses import LostSession, Replacement, lost_with, lost_with_session
from portal.sessions.times import in_words
from portal.sessions.views.base import SessionActionView, spec_url
from portal.translation import gettext as _
from portal.ui.pages import go, toast
from portal.ui.views import Labels


def _in_words(lost: LostSession) -> list[tuple[str, str]]:
    if not lost:
        return []
    if not lost.is_counted:
        return [("user-x", _("How many registrations are deleted is not known."))]
    words = _("Deleted with it: %(registrations)s. Export the registrants first to keep them.")
    return [("user-x", words % {"registrations": lost.in_words})]


class DeleteSessionView(SessionActionView):
    operation_name = "delete"
    is_destructive = True

    def labels(self) -> Labels:
        return Labels(
            _("Delete “%(topic)s”?") % {"topic": self.session.topic},
            submit=_("Delete %(noun)s") % {"noun": self.session_spec.noun},
            consequences=[
                (
                    "trash-2",
                    self._also_deleted(),
                ),
                *_in_words(lost_with_session(self.request.api, self.session)),
                (
                    "unplug",
                    _("The join link stops working. Current participants are disconnected."),
                ),
                ("video", _("Cloud recordings and reports of past instances are kept.")),
            ],
        )

    def _also_deleted(self) -> str:
        count = len(self.session.occurrences)
        of_one, of_several = self.session_spec.deleted_with
        return str(of_one) if count <= 1 else of_several % {"count": count}

    def perform(self, form: object) -> str:
        losses.delete_session(self.request.api, self.request.connection, self.session)
        return _("“%(topic)s” deleted.") % {"topic": self.session.topic}

    def next_url(self) -> str:
        host_id = self.session.host.id
        back = f"?host={host_id}" if host_id else ""
        return f"{spec_url(self.request, self.session_spec, 'list')}{back}"


class DeleteOccurrenceView(SessionActionView):
    """Deletes one occurrence of a series; with the last one the series goes."""

    operation_name = "delete"
    is_destructive = True

    @cached_property
    def occurrence(self) -> contract.Occurrence | None:
        return self.session.occurrence(self.kwargs["occurrence_id"])

    @cached_property
    def when(self) -> str:
        one = self.occurrence
        if one is None or one.start_time is None:
            return ""
        return in_words(one.start_time, self.session.timezone, one.duration)

    @property
    def is_last(self) -> bool:
        return len(self.session.occurrences) == 1

    def prepare(self) -> None:
        if self.request.method == "GET" and not self.when:
            raise Http404

    @cached_property
    def lost(self) -> LostSession:
        replacement = Replacement((), (self.occurrence,) if self.occurrence else ())
        return lost_with(self.request.api, self.request.connection, self.session, replacement)

    def labels(self) -> Labels:
        topic, noun = self.session.topic, self.session_spec.noun
        what = (
            _("This is the last occurrence of “%(topic)s”. The %(noun)s is deleted with it.")
            % {"topic": topic, "noun": noun}
            if self.is_last
            else _(
                "The other occurrences of “%(topic)s” are kept. Registrations for this occurrence "
                "only are cancelled."
            )
            % {"topic": topic}
        )
        return Labels(
            _("Delete %(when)s?") % {"when": self.when}
            if self.when
            else _("Delete this occurrence?"),
            submit=_("Delete occurrence"),
            consequences=[("calendar-x", what), *_in_words(self.lost)],
        )

    def way_back(self) -> str:
        if self.is_last:
            return super().way_back()
        return _("A deleted occurrence cannot be restored.")

    def perform(self, form: object) -> str:
        query = contract.OccurrenceQuery(occurrence_id=self.kwargs["occurrence_id"])
        losses.delete_session(self.request.api, self.request.connection, self.session, query)
        return (
            _("%(when)s deleted.") % {"when": self.when} if self.when else _("Occurrence deleted.")
        )

    def next_url(self) -> str:
        return (
            spec_url(self.request, self.session_spec, "list") if self.is_last else self.cancel_url()
        )


class EndSessionView(SessionActionView):
    operation_name = "end"
    is_destructive = True

    def labels(self) -> Labels:
        noun = self.session_spec.noun
        stays = (
            "calendar-check",
            _("The %(noun)s is kept and can be started again.") % {"noun": noun},
        )
        return Labels(
            _("End “%(topic)s” now?") % {"topic": self.session.topic},
            submit=_("End %(noun)s") % {"noun": noun},
            consequences=[
                ("unplug", _("All participants are disconnected immediately.")),
                *(() if self.session.is_instant else (stays,)),
            ],
        )

    def get(self, request: PortalRequest, *args: object, **kwargs: object) -> HttpResponse:
        if course(self.request.api, self.session).is_running is False:
            toast(
                self.request,
                "neutral",
                _("“%(topic)s” is not in progress.") % {"topic": self.session.topic},
            )
            return go(self.request, self.cancel_url())
        return super().get(request, *args, **kwargs)

    def cancel_url(self) -> str:
        """Returns the session's page, or the page of live sessions if the user comes from there."""
        back = self.request.GET.get("next", "")
        live = reverse("dashboards:now", args=[self.request.connection.key])
        return back if back.partition("?")[0] == live else super().cancel_url()

    def perform(self, form: object) -> str:
        end = contract.SessionStatusChange(action=contract.SessionAction.END)
        self.session_spec.calls(self.request.api).end(self.session.id, end)
        return _("“%(topic)s” ended.") % {"topic": self.session.topic}
