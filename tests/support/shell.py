"""Renders pages without what surrounds their content, unless a test is about that.

The head, the top bar and the navigation are the same on every page and dear to render. A test that
sees them is marked `whole_pages`.
"""

from collections.abc import Iterator

import pytest
from django.template import Context
from django.template.loader_tags import IncludeNode
from django.utils.safestring import SafeString

_SURROUNDINGS = {"ui/head.html", "ui/topbar.html", "ui/navigation.html"}
_render = IncludeNode.render


def _render_content(node: IncludeNode, context: Context) -> SafeString:
    if node.template.var in _SURROUNDINGS:
        return SafeString()
    return _render(node, context)


@pytest.fixture(autouse=True)
def _content_alone(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.node.get_closest_marker("whole_pages"):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(IncludeNode, "render", _render_content)
        yield
