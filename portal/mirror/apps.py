from django.apps import AppConfig


class MirrorConfig(AppConfig):
    name = "portal.mirror"
    label = "mirror"
