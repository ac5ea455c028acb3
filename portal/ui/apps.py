from django.apps import AppConfig
from django.urls import register_converter

from portal.contract.words import translate_by, without_context
from portal.translation import gettext
from portal.translation.phrases import phrase
from portal.ui.converters import IdConverter


@phrase
def contract_words(words: str) -> str:
    """Returns words of the contract in the reader's language."""
    return without_context(gettext(words))


class UiConfig(AppConfig):
    name = "portal.ui"

    def ready(self) -> None:
        # Once models are known. It registers by itself.
        from portal.ui.views import connected  # noqa: F401, PLC0415

        translate_by(contract_words)
        register_converter(IdConverter, "id")
