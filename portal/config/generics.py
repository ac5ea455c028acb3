"""Type parameters of Django's classes, such as `ModelForm[Share]`, which the type checker requires.

django-stubs declares them; Django itself accepts them for only some of its classes.
"""

from django.core.paginator import Paginator
from django.db.models import Field
from django.forms import BaseModelForm, ModelChoiceField


def _itself(cls: type, _parameter: object) -> type:
    return cls


for generic in (BaseModelForm, Field, ModelChoiceField, Paginator):
    if not hasattr(generic, "__class_getitem__"):
        type.__setattr__(generic, "__class_getitem__", classmethod(_itself))
