"""Removing one delegate of a person, or all of them."""

from functools import cached_property
from typing import Any, ClassVar

from django.http import Http404

from portal.contract.delegates import Assistants, Schedulers
from portal.directory.colleagues import Colleague
from portal.people.services import delegates
from portal.people.views.actions import PersonAction
from portal.ui.views import Labels

_LISTED = {"assistant": delegates.assistants, "scheduler": delegates.schedulers}


class DelegateAction(PersonAction):
    """What removing assistants and schedulers share; they differ in `noun`."""

    is_destructive = True
    tab = "delegates"
    noun: ClassVar[str]

    @cached_property
    def listed(self) -> list[Colleague]:
        return _LISTED[self.noun](self.request.api, self.request.connection, self.person.id)

    def calls(self) -> Any:
        """The family of the service's operations."""
        return getattr(self.request.api, f"{self.noun}s")

    def consequence(self, delegates: str) -> tuple[str, str]:
        """Who can no longer schedule for whom."""
        name = self.person.name
        who, whom = (delegates, name) if self.noun == "assistant" else (name, delegates)
        return ("calendar-x", f"{who} can no longer schedule meetings for {whom}.")


class RemoveAssistant(DelegateAction):
    """Removes one person who schedules for another."""

    needs = Assistants.remove
    noun = "assistant"

    @cached_property
    def delegate(self) -> Colleague:
        for one in self.listed:
            if one.key == self.kwargs["delegate_id"]:
                return one
        raise Http404

    def prepare(self) -> None:
        _ = self.delegate

    def labels(self) -> Labels:
        return Labels(
            f"Remove {self.delegate.name}?",
            submit="Remove",
            consequences=[
                self.consequence(self.delegate.name),
                ("calendar-check", "Meetings that are scheduled already stay."),
                ("undo-2", f"This can be undone: add the {self.noun} again."),
            ],
        )

    def perform(self, form: Any) -> str:
        self.calls().remove(self.person.id, self.delegate.key)
        return f"{self.delegate.name} is removed as {self.noun}."


class RemoveScheduler(RemoveAssistant):
    """The same, seen from the person who schedules."""

    needs = Schedulers.remove
    noun = "scheduler"


class RemoveAllAssistants(DelegateAction):
    """Removes everybody who schedules for a person."""

    needs = Assistants.remove_all
    noun = "assistant"

    def labels(self) -> Labels:
        count = len(self.listed)
        what = f"{count} {self.noun}{'' if count == 1 else 's'}"
        return Labels(
            f"Remove {what} of {self.person.name}?",
            submit=f"Remove {what}",
            consequences=[
                self.consequence(", ".join(one.name for one in self.listed)),
                ("calendar-check", "Meetings that are scheduled already stay."),
                ("undo-2", "To undo this, add each of them again."),
            ],
        )

    def perform(self, form: Any) -> str:
        self.calls().remove_all(self.person.id)
        return f"All {self.noun}s of {self.person.name} are removed."


class RemoveAllSchedulers(RemoveAllAssistants):
    """Removes everybody for whom a person schedules."""

    needs = Schedulers.remove_all
    noun = "scheduler"
