"""Ending a session that runs, and deleting one or one of its occurrences."""

from functools import cached_property
from typing import Any

from django.http import Http404, HttpResponse

from portal.contract import sessions as contract
from portal.sessions.services import removal
from portal.sessions.services.live import course
from portal.sessions.times import in_words
from portal.sessions.views.actions import SessionAction
from portal.sessions.views.specs import spec_url
from portal.ui.pages import go
from portal.ui.toasts import toast
from portal.ui.views import Labels

_FINAL = ("undo-2", "This cannot be undone.")


class DeleteSession(SessionAction):
    """Deletes a session with all that belongs to it."""

    operation_name = "delete"
    is_destructive = True

    def labels(self) -> Labels:
        count = len(self.session.occurrences)
        what = f"All {count} occurrences, the" if count > 1 else "The"
        speakers = ", panelists" if self.session_spec.family == "webinars" else ""
        return Labels(
            f"Delete “{self.session.topic}”?",
            submit=f"Delete {self.session_spec.noun}",
            consequences=[
                ("trash-2", f"{what} registrants{speakers} and polls are deleted too."),
                ("unplug", "The join link stops working. Current participants are disconnected."),
                ("video", "Cloud recordings and reports of past instances are kept."),
                _FINAL,
            ],
        )

    def perform(self, form: Any) -> str:
        removal.delete(self.request.api, self.request.connection, self.session)
        return f"“{self.session.topic}” deleted."

    def next_url(self) -> str:
        host_id = self.session.host.id
        back = f"?host={host_id}" if host_id else ""
        return f"{spec_url(self.request, self.session_spec, 'list')}{back}"


class DeleteOccurrence(SessionAction):
    """Deletes one occurrence of a series; with the last one the series goes."""

    operation_name = "delete"
    is_destructive = True

    @cached_property
    def when(self) -> str:
        """When it takes place, in words; empty where that is not known."""
        for one in self.session.occurrences:
            if str(one.occurrence_id) == self.kwargs["occurrence_id"] and one.start_time:
                return in_words(one.start_time, self.session.timezone, one.duration)
        return ""

    @property
    def is_last(self) -> bool:
        return len(self.session.occurrences) == 1

    def prepare(self) -> None:
        if self.request.method == "GET" and not self.when:
            raise Http404

    def labels(self) -> Labels:
        topic, noun = self.session.topic, self.session_spec.noun
        what = (
            f"This is the last occurrence of “{topic}”. The {noun} is deleted with it."
            if self.is_last
            else f"The other occurrences of “{topic}” are kept. Registrations for this occurrence"
            " only are cancelled."
        )
        return Labels(
            f"Delete {self.when or 'this occurrence'}?",
            submit="Delete occurrence",
            consequences=[("calendar-x", what), _FINAL],
        )

    def perform(self, form: Any) -> str:
        query = contract.OccurrenceQuery(occurrence_id=self.kwargs["occurrence_id"])
        removal.delete(self.request.api, self.request.connection, self.session, query)
        return f"{self.when or 'Occurrence'} deleted."

    def next_url(self) -> str:
        return (
            spec_url(self.request, self.session_spec, "list") if self.is_last else self.cancel_url()
        )


class EndSession(SessionAction):
    """Sends everybody out of a session that runs."""

    operation_name = "end"
    is_destructive = True

    def labels(self) -> Labels:
        noun = self.session_spec.noun
        stays = ("calendar-check", f"The {noun} is kept and can be started again.")
        return Labels(
            f"End “{self.session.topic}” now?",
            submit=f"End {noun}",
            consequences=[
                ("unplug", "All participants are disconnected immediately."),
                *(() if self.session.is_instant else (stays,)),
            ],
        )

    def get(self, *args: Any, **kwargs: Any) -> HttpResponse:
        if course(self.request.api, self.session).is_running is False:
            toast(self.request, "neutral", f"“{self.session.topic}” is not in progress.")
            return go(self.request, self.cancel_url())
        return super().get(*args, **kwargs)

    def perform(self, form: Any) -> str:
        end = contract.SessionStatusChange(action=contract.SessionAction.END)
        self.session_spec.calls(self.request.api).end(self.session.id, end)
        return f"“{self.session.topic}” ended."
