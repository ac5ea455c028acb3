"""People who are named in a body, by id or by email."""

from pydantic import Field, model_validator

from portal.contract.model import Model
from portal.contract.problems import BrokenRule
from portal.contract.words import gettext


class PersonReference(Model):
    """Somebody, named by id or by email; with an id the email is ignored."""

    id: str | None = Field(None, title="User ID", description="Goes before the email.")
    email: str | None = Field(None, title="Email", description="Used where there is no ID.")

    @model_validator(mode="after")
    def _names_somebody(self) -> "PersonReference":
        if not self.id and not self.email:
            raise BrokenRule("email", gettext("Give an ID or an email."))
        return self
