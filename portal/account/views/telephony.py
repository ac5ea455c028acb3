"""The telephony service provider of the whole account."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from portal.access.http import PortalRequest
from portal.connections.connected import connected
from portal.contract.model import Model
from portal.contract.telephony import (
    AccountDialInNumber,
    AccountTspUpdate,
    DialInType,
    TelephonyProvider,
)
from portal.translation import gettext as _, gettext_lazy
from portal.ui.forms import contract_form
from portal.ui.pages import page
from portal.ui.views import EditView, Labels


@require_safe
@connected(needs=TelephonyProvider.get)
def telephony(request: PortalRequest) -> HttpResponse:
    """Shows the provider of the account's audio, and the numbers to dial."""
    provider = request.api.telephony_provider.get()
    context = {"provider": provider, "numbers": [_dialled(one) for one in provider.dial_in_numbers]}
    return page(request, "account/telephony.html", context)


def _dialled(one: AccountDialInNumber) -> tuple[str, str]:
    """Returns the number as it is read aloud, and its type in words.

    Ten digits after +1 are an area, an exchange and a line; elsewhere nothing says where to break.
    """
    digits = one.number
    if one.code == "1" and len(digits) == 10 and digits.isdecimal():
        digits = f"{digits[:3]} {digits[3:6]} {digits[6:]}"
    labels = {each.value: each.label for each in DialInType}
    return f"+{one.code} {digits}" if one.code else digits, labels.get(one.type, one.type)


class ChangeTelephonyView(EditView[AccountTspUpdate]):
    """Changes the provider, or turns third-party audio on and off."""

    needs = TelephonyProvider.update
    above = ((gettext_lazy("Telephony"), "account:telephony"),)
    form_class = contract_form(AccountTspUpdate)

    def labels(self) -> Labels:
        return Labels(_("Change telephony provider"), submit=_("Save"))

    def current(self) -> Model:
        return self.request.api.telephony_provider.get()

    def save(self, changes: AccountTspUpdate) -> str:
        self.request.api.telephony_provider.update(changes)
        return _("The telephony provider was changed.")
