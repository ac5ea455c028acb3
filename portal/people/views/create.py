"""Adding a person: four account types, checked while it is typed, created once."""

from typing import Any, ClassVar
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.client import ApiError, Conflict
from portal.contract.users import CreateAction, CreatedUser, LicenceType, Users
from portal.directory.groups import GROUPS
from portal.mirror.refresh import mark_viewed
from portal.people.forms.creation import (
    EMAIL,
    FURTHER,
    GROUP_FIELDS,
    PASSWORD,
    PROFILE,
    NewPersonForm,
)
from portal.people.jobs.onboarding import draft_for_new
from portal.people.services import creation as service
from portal.people.services.creation import Holder
from portal.people.services.person import PersonRecord
from portal.people.services.references import MemberReference
from portal.people.views.tabs import person_url
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.pages import go, page, toast
from portal.ui.views.create import CheckedCreateView


class CreatePersonView(CheckedCreateView):
    """The form, and what becomes of it."""

    needs = Users.create
    check = gettext_lazy("Check if they exist")
    password = PASSWORD
    uncertain: ClassVar = {
        "absent": (
            gettext_lazy("No one has this email: nothing was created"),
            gettext_lazy("The form can be sent again."),
        ),
        "being_sent": (
            gettext_lazy("This form is being sent already"),
            gettext_lazy(
                "The service has not answered yet. The form is sent once, however often the button "
                "is "
                "pressed. Check if the person exists before you go on."
            ),
        ),
        "unanswered": (
            gettext_lazy("The person may have been created"),
            gettext_lazy(
                "This form is not sent a second time. Check if the person exists. If not, you can "
                "send it again."
            ),
        ),
    }

    holder = Holder(False)
    person: PersonRecord
    answer: CreatedUser

    def url_name(self, part: str) -> str:
        return f"people:create-{part}"

    def first_form(self) -> NewPersonForm:
        mark_viewed(self.request.connection, GROUPS)
        return NewPersonForm(self.request.scope, suggest=_suggested(self.request))

    def get_form(self) -> NewPersonForm:
        return NewPersonForm(self.request.scope, self.request.POST)

    def perform(self, form: NewPersonForm) -> str:
        request = self.request
        self.answer = service.create(request.api, request.scope, form.model())
        return self.answer.id

    def find(self, form: NewPersonForm) -> str | None:
        request, wanted = self.request, form.model()
        self.holder, person = service.look_for(
            request.api, request.scope, wanted.user_info.email, wanted.action
        )
        if person is None:
            return None
        self.person = person
        return person.id

    def absent(self, form: NewPersonForm) -> None:
        if self.holder.is_taken:
            form.add_error(EMAIL, _("This email is in use outside this account."))

    def refused(self, error: ApiError | None, form: NewPersonForm) -> dict[str, Any]:
        if not isinstance(error, Conflict):
            return {}
        email = form.model().user_info.email
        return {"holder": service.known_holder(self.request.scope, email)}

    def created(self, form: NewPersonForm, result: str) -> HttpResponse:
        request, created, wanted = self.request, self.answer, form.model()
        name = f"{created.first_name} {created.last_name}".strip() or created.email
        if wanted.action == CreateAction.CREATE:
            toast(
                request,
                "good",
                _("%(name)s was created, and is emailed an activation link.") % {"name": name},
            )
        else:
            toast(request, "good", _("%(name)s was created.") % {"name": name})
        self._complete(form, result, name)
        if "another" not in request.POST:
            return go(request, self.url_of(result))
        kept = {"action": wanted.action.value, "type": wanted.user_info.type.value}
        kept |= {name: value for name in FURTHER if (value := form.cleaned_data.get(name))}
        url = reverse("people:create", args=[request.connection.key])
        return go(request, f"{url}?{urlencode(kept, doseq=True)}")

    def found(self, form: NewPersonForm, result: str) -> None:
        toast(self.request, "good", _("%(name)s is on the account.") % {"name": self.person.name})
        self._complete(form, result, self.person.name)

    def created_before(self) -> str:
        return _("This person was created by the first click.")

    def url_of(self, result: str) -> str:
        return person_url(self.request, result)

    def show(self, form: NewPersonForm, context: dict[str, Any]) -> HttpResponse:
        status = 422 if form.errors or context["uncertain"] else 200
        return page(self.request, "people/create.html", {"form": form, **context}, status=status)

    def _complete(self, form: NewPersonForm, user_id: str, name: str) -> None:
        """Sets what the creation does not take; what fails of it leaves the person as they are."""
        who = MemberReference(name, user_id, form.model().user_info.email)
        failed = service.complete(self.request.api, self.request.scope, who, form.further)
        if failed:
            words = _("%(name)s is on the account without: %(failed)s.")
            words %= {"name": name, "failed": ", ".join(failed)}
            toast(self.request, "warning", words)
        if template := form.template:
            draft_for_new(origin_of(self.request), self.request.connection, template, [user_id])
            toast(
                self.request,
                "neutral",
                _("The template %(template)s is being applied to %(name)s.")
                % {"template": template, "name": name},
            )


@require_GET
@connected(needs=Users.email_exists)
def email_availability(request: PortalRequest) -> HttpResponse:
    """Says beside the field whether an address is free; it is no obstacle to sending the form."""
    email = request.GET.get(EMAIL, "").strip()
    context: dict[str, Any] = {}
    if "@" in email:
        try:
            context["holder"] = service.holder_of(request.api, request.scope, email)
        except ApiError:
            context["is_unknown"] = True
    return render(request, "people/create_availability.html", context)


def _suggested(request: PortalRequest) -> dict[str, Any]:
    """Returns the values that the page's address fills in, so that several alike can be created."""
    action, kind = request.GET.get("action", ""), request.GET.get("type", "")
    return {
        **{name: request.GET.get(name, "") for name in PROFILE},
        **{name: request.GET.getlist(name) for name in GROUP_FIELDS},
        "action": action if action in set(CreateAction) else CreateAction.CREATE.value,
        "user_info": {
            "type": int(kind) if kind in {str(each.value) for each in LicenceType} else 1,
        },
    }
