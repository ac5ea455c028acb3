"""Generic views: what pages that do something share, so that each says only what is its own."""

from portal.ui.views.action import ActionView, EditView, FormT, Labels
from portal.ui.views.chosen import ChosenView, ManyView
from portal.ui.views.create import CreateView

__all__ = ["ActionView", "ChosenView", "CreateView", "EditView", "FormT", "Labels", "ManyView"]
