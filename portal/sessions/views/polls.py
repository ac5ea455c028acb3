"""Polls: listed with their questions, built, changed and deleted."""

from functools import cached_property

from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_GET

from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.contract.polls import Poll, PollDetails
from portal.contract.reading import all_left_out_of
from portal.contract.session_kinds import SessionPolls
from portal.sessions.forms.polls import ACT, PollForm
from portal.sessions.specs import SessionSpec
from portal.sessions.views.base import TabActionView, spec_view, tab
from portal.translation import gettext as _, gettext_lazy, ngettext
from portal.ui.pages import go, toast
from portal.ui.views import CreateView, FormT, Labels


@require_GET
@spec_view(needs="polls.list")
def poll_list(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """The session's polls with their questions, in the order the service reports."""
    context = {
        "polls": spec.polls(request.api.caller).list(session_id).polls,
        "may_poll": Can(request.scope, spec.polls.name),
    }
    return tab(request, spec, session_id, "sessions/polls.html", context, current="polls")


class _PollsView(TabActionView[FormT]):
    tab = "polls"

    @property
    def polls(self) -> SessionPolls:
        return self.session_spec.polls(self.request.api.caller)


class PollActionView(_PollsView[PollForm]):
    """A form that builds a poll; the buttons that arrange it send it, and it comes back so."""

    template_name = "sessions/poll.html"
    form_class = PollForm

    @property
    def act(self) -> str:
        return self.request.POST.get(ACT, "")

    def get_form(self, data: QueryDict | None = None) -> PollForm:
        return PollForm(data, act=self.act)

    def post(self, request: PortalRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not self.act:
            return super().post(request, *args, **kwargs)
        return self.render(
            self.get_form(request.POST), idempotency_key=request.POST.get("idempotency_key")
        )

    def context(self) -> dict[str, object]:
        return super().context() | {"act": ACT}


class AddPollView(PollActionView, CreateView[PollForm]):
    operation_name = "polls.create"
    noun = gettext_lazy("poll")

    def labels(self) -> Labels:
        return Labels(_("Add poll"), submit=_("Add poll"))

    def perform(self, form: PollForm) -> str:
        return self.polls.create(self.session_id, form.poll()).id

    def find(self, form: PollForm) -> str | None:
        title = form.cleaned_data["title"]
        there = self.polls.list(self.session_id).polls
        return next((one.id for one in there if one.title == title), None)

    def created(self, form: PollForm) -> str:
        return _("“%(title)s” added.") % {"title": form.cleaned_data["title"]}

    def url_of(self, result: str) -> str:
        return self.cancel_url()


class OnePollView(_PollsView[FormT]):
    """An action on one poll, which is read from the service."""

    reads = "poll"

    @cached_property
    def poll(self) -> PollDetails:
        return self.polls.get(self.session_id, self.kwargs["poll_id"])


class ChangePollView(PollActionView, OnePollView[PollForm]):
    """Changes a poll, which is then replaced as a whole."""

    operation_name = "polls.update"

    def labels(self) -> Labels:
        return Labels(self.poll.title or _("Poll"), submit=_("Save"))

    def get(self, request: PortalRequest, *args: object, **kwargs: object) -> HttpResponse:
        return self._shut() or super().get(request, *args, **kwargs)

    def post(self, request: PortalRequest, *args: object, **kwargs: object) -> HttpResponse:
        return self._shut() or super().post(request, *args, **kwargs)

    def _shut(self) -> HttpResponse | None:
        """Returns the way back from a poll that was not read whole: the rest would be lost."""
        if not all_left_out_of(self.poll):
            return None
        words = _(
            "This poll was made elsewhere, with more than this form can show. To keep all of it, "
            "edit it there."
        )
        toast(self.request, "warning", words)
        return go(self.request, self.cancel_url())

    def get_form(self, data: QueryDict | None = None) -> PollForm:
        return PollForm(data, initial=_content(self.poll), act=self.act)

    def perform(self, form: PollForm) -> str:
        if form.changes() is None:
            return ""
        wanted = form.poll()
        self.polls.update(self.session_id, self.kwargs["poll_id"], wanted)
        return _("“%(title)s” saved.") % {"title": wanted.title}

    def context(self) -> dict[str, object]:
        return super().context() | {"poll": self.poll}


def _content(details: PollDetails) -> dict[str, object]:
    """Returns a poll as it is sent back: without what only the service sets."""
    own = PollDetails.model_fields.keys() - Poll.model_fields.keys()
    document = {name: value for name, value in details.sent().items() if name not in own}
    return {**document, "title": details.title or "", "questions": document.get("questions") or []}


class DeletePollView(OnePollView):
    operation_name = "polls.delete"
    is_destructive = True

    def labels(self) -> Labels:
        count = len(self.poll.questions or ())
        words = ngettext(
            "The poll and its %(count)s question are deleted from “%(topic)s”.",
            "The poll and its %(count)s questions are deleted from “%(topic)s”.",
            count,
        )
        return Labels(
            _("Delete “%(title)s”?") % {"title": self.poll.title or _("this poll")},
            submit=_("Delete poll"),
            consequences=[
                ("trash-2", words % {"count": count, "topic": self.topic}),
            ],
        )

    def perform(self, form: object) -> str:
        self.polls.delete(self.session_id, self.kwargs["poll_id"])
        return _("“%(title)s” deleted.") % {"title": self.poll.title or _("The poll")}
