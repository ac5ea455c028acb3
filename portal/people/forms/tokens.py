"""Forms of the tokens that start meetings in a person's name."""

from portal.contract.users import TokenType, UserTokenQuery, ZpkQuery
from portal.translation import gettext as _
from portal.ui.forms import contract_form

ZpkForm = contract_form(ZpkQuery)
_Token = contract_form(UserTokenQuery)


class TokenForm(_Token):  # type: ignore[misc, valid-type]
    """The purpose of the token; an empty one would mean one of the types as well."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["type"]
        field.required = field.widget.is_required = True
        field.choices = [(one.value, one.label) for one in TokenType]
        field.help_text = _("What the token is for.")
        field.initial = TokenType.ZAK.value
