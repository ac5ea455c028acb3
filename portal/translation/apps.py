from django.apps import AppConfig


class TranslationConfig(AppConfig):
    name = "portal.translation"
