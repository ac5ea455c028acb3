"""Classes of Django's that take a type parameter, such as `ModelForm[Share]`, for the type checker.

django-stubs declares them so; Django itself gives only some of its classes a way to take one.
"""

from django.core.paginator import Paginator
from django.db.models import Field
from django.forms import BaseModelForm, ModelChoiceField


def _itself(cls: type, _parameter: object) -> type:
    return cls


for generic in (BaseModelForm, Field, ModelChoiceField, Paginator):
    if not hasattr(generic, "__class_getitem__"):
        type.__setattr__(generic, "__class_getitem__", classmethod(_itself))
