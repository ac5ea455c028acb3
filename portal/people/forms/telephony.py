"""The form of a TSP account with its dial-in numbers."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from portal.contract.telephony import TspAccount
from portal.ui.forms import contract_form
from portal.ui.forms.state import unsign

TspForm = contract_form(TspAccount)


def opened_with(data: QueryDict) -> Mapping[str, Any]:
    """What the account was when the form was opened, for when the service does not tell now.

    Secrets are not among it.
    """
    kept = unsign(data.get("was", "")) or {}
    return {name: value for name, value in kept.items() if name != "leader_pin"}
