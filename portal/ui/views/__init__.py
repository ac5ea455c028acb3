"""Generic views: what pages that do something share, so that each says only what is its own."""

from portal.ui.views.action import ActionView, Labels
from portal.ui.views.chosen import ChosenView
from portal.ui.views.create import CreateView
from portal.ui.views.edit import EditView
from portal.ui.views.many import ManyView

__all__ = ["ActionView", "ChosenView", "CreateView", "EditView", "Labels", "ManyView"]
