from django.apps import AppConfig
from django.urls import register_converter

from portal.contract.words import translate_by
from portal.translation import gettext
from portal.ui.converters import IdConverter


class UiConfig(AppConfig):
    name = "portal.ui"

    def ready(self) -> None:
        from portal.ui.views import connected  # noqa: F401, PLC0415 - once models are known: it registers

        translate_by(gettext)
        register_converter(IdConverter, "id")
