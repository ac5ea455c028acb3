"""Walks the paths of a presser over the actions of the portal: every route of the permission matrix
that a form is sent to."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from tests.access.test_permission_matrix import MATRIX
from tests.support.presser import afterwards
from tests.support.presser.account import Account
from tests.support.presser.browser import Browser, Way
from tests.support.presser.paths import Presser
from tests.support.presser.stage import Stage
from tests.support.presser.typed import queries_of, typed_on
from tests.support.presser.unpressed import FAULTS, UNPRESSED
from tests.support.routes import NAMED, Route, undone

Path = Callable[[Presser], Iterator[str]]
ALL_WAYS = tuple(Way)


def paths(ways: Sequence[Way] = ALL_WAYS) -> dict[str, list[Path]]:
    """Returns the paths by their names, each in these ways of opening a page."""
    return {
        "as it stands": [partial(Presser.as_it_stands, way=way) for way in ways],
        "one invalid": [partial(Presser.with_one_invalid, way=way) for way in ways],
        "refused": [partial(Presser.refused_by_the_service, way=way) for way in ways],
        "twice": [partial(afterwards.sent_twice, way=way) for way in ways[:1]],
        "stale": [partial(afterwards.sent_stale, way=way) for way in ways[:1]],
        "taken back": [afterwards.taken_back],
        "told": [afterwards.told],
    }


def actions() -> list[Route]:
    """Returns the routes with a page of their own and a form on it, or not yet known to lack it."""
    return [route for route in NAMED if all(MATRIX[route.name])]


def one_of_each_kind() -> list[Route]:
    """Returns one action for each template that pages of views have: what a page does with a form
    is written there."""
    kinds: dict[object, Route] = {}
    for route in actions():
        template = getattr(getattr(route.view, "view_class", None), "template_name", "")
        if template and ":" in route.name and route.name not in UNPRESSED:
            kinds.setdefault(template, route)
    return list(kinds.values())


@dataclass
class PressedWalk:
    """Walks paths over actions. `walked` counts the paths of each action, `wrong` has what was
    found, by the action and the name of the path."""

    stage: Stage
    browser: Browser
    account: Account
    walked: int = 0
    pressed: set[str] = field(default_factory=set)
    formless: dict[str, str] = field(default_factory=dict)
    wrong: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def go(self, routes: Collection[Route], which: dict[str, list[Path]]) -> None:
        for route in routes:
            with undone():
                self._press(route, which)

    def _press(self, route: Route, which: dict[str, list[Path]]) -> None:
        for query in queries_of(route.name, self.stage):
            url = self.stage.url_of(route)
            self._press_at(route, f"{url}?{query}" if query else url, which)

    def _press_at(self, route: Route, url: str, which: dict[str, list[Path]]) -> None:
        self.browser.sign_in_again()
        presser = Presser(self.browser, self.account, url, typed_on(route.name, self.stage))
        for name, each in which.items():
            for path in each:
                self.walked += 1
                for fault in path(presser):
                    self.wrong.setdefault((route.name, name), []).append(fault)
        if presser.has_form:
            self.pressed.add(route.name)
        else:
            self.formless[route.name] = presser.answered

    @property
    def new(self) -> list[str]:
        """Returns what is wrong and not listed, and the actions whose page has no form."""
        return [
            *(
                f"{route}, {path}: {fault}"
                for (route, path), faults in self.wrong.items()
                if (route, path) not in FAULTS
                for fault in faults
            ),
            *(f"{route} has no form: {words}" for route, words in self.formless.items()),
        ]

    def stale(self, routes: Collection[Route], names: Collection[str]) -> list[object]:
        """Returns what is listed without a reason any more."""
        walked = {route.name for route in routes}
        gone = [key for key in FAULTS if key[0] in walked and key[1] in names]
        return [
            *(key for key in gone if key not in self.wrong),
            *(name for name in UNPRESSED if name in self.pressed),
        ]
