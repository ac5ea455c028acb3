"""axe-core on a page of each kind, in both themes and as a phone shows it; and what measures the
pages finds what it is there for."""

import pytest

from tests.browser.accessibility import (
    PHONE,
    faint_text,
    is_wider_than_the_window,
    problems,
    small_targets,
    violations,
)
from tests.browser.people import create_in_service, new_email, open_people

pytestmark = pytest.mark.browser

# By what a page is: a list, forms short and long, days, what changes by itself, figures, settings.
KINDS = [
    "people/",
    "people/create/",
    "calendar/",
    "dashboards/",
    "reports/daily/?period=7-days",
]


def test_a_page_of_each_kind_is_accessible(visit, demo):
    page = visit()
    open_people(page)
    root = page.url.split("people/")[0]
    person = create_in_service(demo, new_email("axe"))
    addresses = [*(f"{root}{each}" for each in KINDS), f"{root}people/{person}/", "/audit/"]
    assert problems(page, addresses) == []


@pytest.mark.parametrize(("colour", "theme"), [("#222", "dark"), ("#eee", "light")])
def test_text_that_is_faint_in_one_theme_alone_is_found(visit, colour, theme):
    page = visit(signed_in=False)
    page.goto("/account/login/")
    page.evaluate("colour => { document.querySelector('h1').style.color = colour }", colour)
    for used in ("light", "dark"):
        page.emulate_media(color_scheme=used)
        [found] = violations(page)
        assert found.startswith(f"faint in the {theme} theme: <h1")


@pytest.mark.parametrize("place", ["0", "3000px"], ids=["in the window", "below it"])
@pytest.mark.parametrize(("ground", "faint"), [("#ddd", 0), ("#333", 2)])
def test_text_is_read_on_what_is_drawn_under_it(visit, place, ground, faint):
    page = visit(signed_in=False)
    page.set_content(
        f"""<body style="color: #222"><div style="height: {place}"></div>
        <p style="position: relative; z-index: 1">Words</p>
        <p><span style="position: relative; z-index: 1">More words</span></p>
        <div style="background: {ground}; height: 9em; margin-top: -8em"></div>"""
    )
    assert len(faint_text(page)) == faint


def test_a_page_that_is_too_wide_for_a_moment_is_waited_for(visit):
    page = visit(signed_in=False, viewport=PHONE)
    page.goto("/account/login/")
    page.evaluate(
        """() => {
          const wide = document.createElement("div");
          wide.style.width = "3000px";
          wide.textContent = "Wide";
          document.body.append(wide);
          setTimeout(() => wide.remove(), 300);
        }"""
    )
    assert not is_wider_than_the_window(page)


_SMALL = '<button style="width: {width}px; height: 20px; padding: 0; border: 0">x</button>'
TARGETS = {
    "beside each other": (_SMALL.format(width=20) * 2, 2),
    "low though wide": (_SMALL.format(width=20) + _SMALL.format(width=90), 1),
    "far enough apart": (_SMALL.format(width=20) + "&emsp;" + _SMALL.format(width=20), 0),
    "large enough": ("<button style='height: 24px'>Large</button>" * 2, 0),
    "within a text": ("Words, <a href='#a'>a</a> <a href='#b'>b</a>, and more", 0),
    "a list of links": ("<a href='#a'>a</a> <a href='#b'>b</a>", 2),
}


@pytest.mark.parametrize(("body", "small"), TARGETS.values(), ids=TARGETS)
def test_what_is_too_small_for_a_finger_is_found(visit, body, small):
    page = visit(signed_in=False, viewport=PHONE)
    page.set_content(f"<body><div style='font: 16px/20px sans-serif'>{body}</div>")
    assert len(small_targets(page)) == small
