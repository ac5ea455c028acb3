from django.apps import AppConfig
from django.urls import register_converter

from portal.ui.converters import IdConverter


class UiConfig(AppConfig):
    name = "portal.ui"

    def ready(self) -> None:
        register_converter(IdConverter, "id")
