"""Forms of the account that are more than their contract."""

from typing import Any

from portal.contract.billing import AccountSubscription
from portal.ui.forms import ContractForm, contract_form
from portal.ui.forms.specs import FieldSpec

# They have to be sent, and are empty where an address has none.
_MAY_BE_EMPTY = ("contact.state", "contact.zip")

_Subscription: type[ContractForm] = contract_form(AccountSubscription)


class SubscriptionForm(_Subscription):  # type: ignore[misc, valid-type]
    """The plans to begin with, and whom invoices go to."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in _MAY_BE_EMPTY:
            self.fields[name].required = False
            self.fields[name].widget.is_required = False

    def _is_meant(self, name: str, spec: FieldSpec) -> bool:
        return name in _MAY_BE_EMPTY or super()._is_meant(name, spec)
