"""Forms for what a person signs in and claims meetings with."""

from portal.contract.users import EmailChange, PasswordChange, UserUpdate
from portal.ui.forms import contract_form

EmailForm = contract_form(EmailChange)
PasswordForm = contract_form(PasswordChange)
_HostKey = contract_form(UserUpdate, fields=("host_key",))


class HostKeyForm(_HostKey):  # type: ignore[misc, valid-type]
    """A new host key; an empty one would leave nothing to send."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["host_key"]
        field.required = field.widget.is_required = True
