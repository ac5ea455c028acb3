"""Where the focus is: on the first field of what asks, and after each swap where the hand was."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import create_in_service, in_service, new_email, open_people
from tests.browser.service import call
from tests.browser.session_tabs import make_session, plan, register

pytestmark = pytest.mark.deep

Visit = Callable[..., Page]
_HAS_FOCUS = """() => document.readyState === "complete"
  && !document.querySelector(".htmx-request:not([data-live]), dialog[open]")
  && document.activeElement !== document.body"""


def focused(page: Page) -> str:
    """What has the focus: its tag, and what it is called."""
    return str(
        page.evaluate(
            "() => { const e = document.activeElement;"
            "return e.localName + ' ' + (e.ariaLabel || e.name || e.innerText).trim() }"
        )
    )


def is_kept(page: Page) -> None:
    page.wait_for_function(_HAS_FOCUS)


def begin(page: Page) -> str:
    open_people(page)
    return page.url.partition("/people/")[0]


@pytest.mark.browser
def test_long_forms_and_sign_in_open_with_focus_on_first_field(visit, demo):
    page = visit(signed_in=False)
    page.goto("/account/login/")
    expect(page.get_by_label("Email")).to_be_focused()
    page = visit()
    account = begin(page)
    page.goto(f"{account}/meetings/create/")
    expect(page.locator("#id_host-search")).to_be_focused()
    host = create_in_service(demo, new_email("host"))
    page.goto(f"{account}/webinars/create/?host={host}")
    expect(page.locator("#id_topic")).to_be_focused()
    assert page.evaluate("scrollY") == 0


@pytest.mark.browser
def test_zone_of_host_is_taken_and_form_sent_without_leaving_it(visit, demo):
    page = visit(timezone_id="Europe/London")
    account = begin(page)
    email = new_email("host")
    host = create_in_service(demo, email)
    call(demo, "PATCH", f"/users/{host}", json={"timezone": "Asia/Tokyo"})
    page.goto(f"{account}/people/?q={email}")
    page.get_by_role("button", name="Refresh").click()
    expect(page.locator("table.sb-table tbody tr")).to_have_count(1)
    page.goto(f"{account}/meetings/create/")
    page.keyboard.type(email)
    expect(page.locator("#id_host-found [role=option]")).to_have_count(1)
    page.keyboard.press("Enter")
    zone = page.locator("#id_timezone")
    expect(zone).to_have_value("Asia/Tokyo")
    zone.fill("Europe/London")
    page.locator("#id_topic").fill("From two places")
    use = page.get_by_role("button", name="Use it")
    use.focus()
    use.press("Enter")
    expect(zone).to_have_value("Asia/Tokyo")
    expect(zone).to_be_focused()
    page.locator("#id_agenda").press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("From two places")


@pytest.mark.browser
def test_after_each_swap_focus_is_where_the_hand_was(visit, demo):
    page = visit(timezone_id="UTC")
    account = begin(page)

    session = make_session(demo, "webinars")
    register(demo, session, "Ann", "Bea", "Cleo")
    page.goto(f"{account}{session}/registrants/")
    page.get_by_role("link", name="Ann").focus()
    page.keyboard.press("x")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert "Close" not in focused(page)
    page.keyboard.press("Escape")
    is_kept(page)
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    dialog.get_by_role("button").last.press("Enter")
    expect(dialog).to_be_hidden()
    is_kept(page)

    email = new_email("swap")
    person = create_in_service(demo, email)
    page.goto(f"{account}/people/{person}/profile/")
    page.get_by_role("link", name="Edit licence").press("Enter")
    expect(page.locator("legend", has_text="Licence").first).to_be_focused()
    page.keyboard.press("Tab")
    assert focused(page).startswith("input")
    page.get_by_role("link", name="Cancel").press("Enter")
    is_kept(page)

    series = {"type": 2, "repeat_interval": 1, "weekly_days": "2", "end_times": 4}
    meeting = plan(
        demo,
        person,
        "meetings",
        topic="Weekly",
        type=8,
        start_time="2038-03-01T09:00:00Z",
        duration=30,
        recurrence=series,
    )
    page.goto(f"{account}{meeting}/")
    delete = page.get_by_role("link", name=re.compile("^Delete .*2038|^Delete$"))
    delete.nth(1).press("Enter")
    expect(dialog).to_be_visible()
    assert focused(page) == "a Cancel"
    dialog.get_by_role("button", name=re.compile("^Delete")).press("Enter")
    expect(dialog).to_be_hidden()
    is_kept(page)
    assert in_service(demo, email)


# The contrast of the mark of an active choice with what other choices lie on.
_MARK = """option => {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = colour => {
    pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map(value => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const mark = getComputedStyle(option).boxShadow.match(/^(?:rgb|color|oklch)[^)]*\\)/)?.[0];
  let under = option.parentElement;
  const ground = () => getComputedStyle(under).backgroundColor;
  while (/(, 0\\)|transparent)$/.test(ground())) under = under.parentElement;
  const [a, b] = [light(mark ?? "#fff"), light(ground())].sort();
  return (b + 0.05) / (a + 0.05);
}"""


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_enter_takes_is_seen_in_every_picker(visit, theme):
    page = visit(color_scheme=theme)
    account = begin(page)
    seen = {}
    for path in ("meetings/create/", "webinars/create/", "people/offboard/"):
        page.goto(f"{account}/{path}")
        for picker in page.locator("[data-picker]").all():
            search = picker.locator("[type=search]")
            if not search.is_visible():
                continue
            search.press_sequentially("an")
            active = picker.locator("[role=option][aria-selected=true]")
            expect(active).to_have_css("box-shadow", re.compile(r"^rgb\(.*inset"))
            seen[f"{path} {search.get_attribute('name')}"] = active.evaluate(_MARK)
            search.fill("")
    page.keyboard.press("Control+k")
    page.keyboard.type("me")
    active = page.locator("#search-hit-1-1[aria-selected=true]")
    expect(active).to_have_css("box-shadow", re.compile(r"^rgb\(.*inset"))
    seen["search"] = active.evaluate(_MARK)
    assert len(seen) >= 3
    assert {name: ratio for name, ratio in seen.items() if ratio < 3} == {}
