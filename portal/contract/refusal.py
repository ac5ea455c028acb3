"""Bodies of the service's refusals; the document leaves their shape open (spec 7)."""

from pydantic import Field

from portal.contract.model import Model


class RefusedField(Model):
    field: str = Field(title="Field", description="Its dotted name, such as user_info.email.")
    message: str = Field(title="Message", description="What to do about it.")


class Refusal(Model):
    code: int = Field(title="Code", description="The HTTP status.")
    message: str = Field(title="Message", description="What is wrong.")
    errors: list[RefusedField] = Field(
        default_factory=list, title="Fields", description="Each broken field of the input."
    )
