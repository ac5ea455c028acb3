"""Changes of a sub account: its options, contact and plans, and its end."""

from functools import cached_property
from typing import ClassVar, Generic, TypeVar

from django.http import HttpResponse, QueryDict

from portal.account.services.plans import SubAccountPlan, change_in_words, plans_of, seats_in_words
from portal.account.views.sub_accounts import SubAccountMixin, account_url
from portal.client import ApiError
from portal.contract.accounts import AccountDetails, AccountOptions, Accounts
from portal.contract.billing import (
    AccountPlanBaseRequired,
    AccountPlanRequired,
    AccountSubscription,
    Billing,
    BillingContact,
)
from portal.contract.model import Model
from portal.translation import gettext as _, gettext_lazy
from portal.ui.errors import errors_to_form
from portal.ui.forms import ContractForm, contract_fields, contract_form
from portal.ui.forms.specs import FieldSpec
from portal.ui.views import ActionView, EditView, FormT, Labels

# They have to be sent, and are empty where an address has none.
_MAY_BE_EMPTY = ("contact.state", "contact.zip")
_NO_WAY_BACK = gettext_lazy("The service offers no way to cancel a plan. It can be changed again.")

PlanT = TypeVar("PlanT", bound=AccountPlanBaseRequired | AccountPlanRequired)


@contract_fields(AccountSubscription)
class SubscriptionForm(ContractForm[AccountSubscription]):
    """The plans to begin with, and whom invoices go to."""

    def __init__(
        self, data: QueryDict | None = None, *, contact: BillingContact | None = None
    ) -> None:
        stored = contact.model_dump(exclude_none=True) if contact else {}
        super().__init__(data, suggest={"contact": stored})
        for name in _MAY_BE_EMPTY:
            self.fields[name].required = False
            self.fields[name].widget.is_required = False

    def _is_meant(self, name: str, spec: FieldSpec) -> bool:
        return name in _MAY_BE_EMPTY or super()._is_meant(name, spec)


class SubAccountActionView(SubAccountMixin, ActionView[FormT]):
    above = ((gettext_lazy("Sub accounts"), "account:sub-accounts"),)

    @cached_property
    def account(self) -> AccountDetails:
        return self.request.api.accounts.get(self.account_id)

    @property
    def owner(self) -> str:
        account: AccountDetails | None = vars(self).get("account")
        return account.owner_email if account and account.owner_email else self.account_id

    def prepare(self) -> None:
        """Reads the object, and lets the typed values stand if the service does not answer just
        then."""
        try:
            _ = self.account
        except ApiError:
            if self.request.method != "POST":
                raise

    def trail(self) -> list[tuple[str, str]]:
        own = account_url(self.request, "", self.account_id)
        return [*super().trail(), (self.owner, own)]


class ChangeOptionsView(
    SubAccountActionView[ContractForm[AccountOptions]], EditView[AccountOptions]
):
    """Changes what the account shares with this one, and who pays."""

    needs = Accounts.update_options
    form_class = contract_form(AccountOptions)

    def labels(self) -> Labels:
        return Labels(_("Change options of %(owner)s") % {"owner": self.owner}, submit=_("Save"))

    def current(self) -> Model:
        return self.account.options or AccountOptions()

    def save(self, changes: AccountOptions) -> str:
        self.request.api.accounts.update_options(self.account_id, changes)
        return _("Options changed.")


class ChangeContactView(
    SubAccountActionView[ContractForm[BillingContact]], EditView[BillingContact]
):
    """Changes whom invoices go to."""

    needs = Billing.update_contact
    form_class = contract_form(BillingContact)

    def labels(self) -> Labels:
        return Labels(
            _("Change billing contact of %(owner)s") % {"owner": self.owner}, submit=_("Save")
        )

    def current(self) -> Model:
        return self.request.api.billing.contact(self.account_id)

    def save(self, changes: BillingContact) -> str:
        self.request.api.billing.update_contact(self.account_id, changes)
        return _("Billing contact changed.")


class DisassociateView(SubAccountActionView):
    """Disassociates a sub account, which continues on its own."""

    needs = Accounts.disassociate
    is_destructive = True

    def labels(self) -> Labels:
        return Labels(
            _("Disassociate %(owner)s?") % {"owner": self.owner},
            submit=_("Disassociate sub account"),
            consequences=[
                ("unlink", _("The account continues on its own, with its people and recordings.")),
                ("eye-off", _("It can no longer be seen or changed from here.")),
            ],
        )

    def perform(self, form: object) -> str:
        self.request.api.accounts.disassociate(self.account_id)
        return _("%(owner)s is no longer a sub account.") % {"owner": self.owner}

    def next_url(self) -> str:
        return self.trail()[0][1]


class SubscribeView(SubAccountActionView[SubscriptionForm]):
    """Subscribes an account that has no plans yet."""

    needs = Billing.subscribe
    form_class = SubscriptionForm

    def labels(self) -> Labels:
        return Labels(
            _("Subscribe %(owner)s") % {"owner": self.owner},
            submit=_("Subscribe"),
            lead=_("The payer of this account is billed for these plans."),
            consequences=[("circle-alert", _NO_WAY_BACK)],
        )

    def get_form(self, data: QueryDict | None = None) -> SubscriptionForm:
        """Returns the form, which opens with the contact that the service has."""
        if data is not None:
            return SubscriptionForm(data)
        return SubscriptionForm(contact=self.request.api.billing.contact(self.account_id))

    def perform(self, form: SubscriptionForm) -> str:
        self.request.api.billing.subscribe(self.account_id, form.model())
        return _("Subscribed.")


class PlanActionView(SubAccountActionView[ContractForm[PlanT]], Generic[PlanT]):
    """Changes a plan, after the change was reviewed."""

    template_name = "account/plan.html"
    verb: ClassVar[str]
    heading: ClassVar[str]
    suggests: ClassVar[bool] = True  # the present plan, as the form is opened

    _review: tuple[str, ...] = ()

    def labels(self) -> Labels:
        consequences = [
            *(("calculator", words) for words in self._review),
            ("circle-alert", _NO_WAY_BACK),
        ]
        submit = self.verb if self._review else _("Review change")
        heading = self.heading % {"owner": self.owner}
        return Labels(heading, submit=submit, consequences=consequences)

    def get_form(self, data: QueryDict | None = None) -> ContractForm[PlanT]:
        if data is not None or not self.suggests:
            return self.form_class(data)
        now = self.before(self.request.GET.get("plan", ""))
        return self.form_class(suggest={"type": now.type, "hosts": now.hosts} if now else {})

    @cached_property
    def plans(self) -> list[SubAccountPlan]:
        return plans_of(self.request.api.billing.plans(self.account_id))

    def before(self, type_: str) -> SubAccountPlan | None:
        """Returns the present plan that is to be changed."""
        wanted = type_.casefold()
        return next((one for one in self.plans if one.type.casefold() == wanted), None)

    def submit(self, form: ContractForm[PlanT]) -> HttpResponse:
        """Shows the change first; it is made when it is sent again with the same review."""
        if form.is_valid():
            plan = form.model()
            review: tuple[str, ...] = ()
            with errors_to_form(form):
                review = tuple(change_in_words(self.before(plan.type), plan.type, plan.hosts))
            if form.errors:
                return self.render(form)
            if self.request.POST.get("reviewed") != "\n".join(review):
                self._review = review
                return self.render(form, reviewed="\n".join(review))
        return super().submit(form)

    def perform(self, form: ContractForm[PlanT]) -> str:
        self.send(form.model())
        plan = form.model()
        values = {"type": plan.type, "seats": seats_in_words(plan.hosts)}
        return _("%(type)s has %(seats)s.") % values

    def send(self, plan: PlanT) -> None:
        """Has the plan changed. Raises `ApiError`."""
        raise NotImplementedError


class ChangeBasePlanView(PlanActionView[AccountPlanBaseRequired]):
    needs = Billing.update_base_plan
    form_class = contract_form(AccountPlanBaseRequired)
    verb = gettext_lazy("Change base plan")
    heading = gettext_lazy("Change base plan of %(owner)s")

    def before(self, type_: str) -> SubAccountPlan | None:
        return next((one for one in self.plans if one.is_base), None)

    def send(self, plan: AccountPlanBaseRequired) -> None:
        self.request.api.billing.update_base_plan(self.account_id, plan)


class AddPlanView(PlanActionView[AccountPlanRequired]):
    needs = Billing.add_plan
    form_class = contract_form(AccountPlanRequired)
    verb = gettext_lazy("Add plan")
    heading = gettext_lazy("Add plan of %(owner)s")
    suggests = False

    def send(self, plan: AccountPlanRequired) -> None:
        self.request.api.billing.add_plan(self.account_id, plan)


class ChangePlanView(PlanActionView[AccountPlanRequired]):
    needs = Billing.update_plan
    form_class = contract_form(AccountPlanRequired)
    verb = gettext_lazy("Change plan")
    heading = gettext_lazy("Change plan of %(owner)s")

    def send(self, plan: AccountPlanRequired) -> None:
        self.request.api.billing.update_plan(self.account_id, plan)
