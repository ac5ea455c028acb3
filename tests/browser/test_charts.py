"""Charts as a browser draws them, on a page of their own under the portal's security policy."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from csp.utils import build_policy
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

from portal.ui.charts import Chart, Series, rising
from tests.browser.accessibility import DESK, is_wider_than_the_window, violations

pytestmark = pytest.mark.browser

Show = Callable[..., Page]

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_SITE = "http://charts.test"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_INK = """(plot) => {
  const { width, height } = plot;
  const pixels = plot.getContext("2d").getImageData(0, 0, width, height).data;
  const found = new Set();
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at + 3] === 255)
    found.add(`${pixels[at]},${pixels[at + 1]},${pixels[at + 2]}`);
  return [...found];
}"""


def charts():
    moments = [START + timedelta(minutes=each) for each in range(30)]
    seconds = [START, START + timedelta(seconds=10)]
    waves = [20.0 + 25 * (each % 20) if each not in (8, 9) else None for each in range(30)]
    return [
        Chart(
            "latency",
            "Latency",
            moments,
            [Series("Received", waves), Series("Sent", [60.0] * 30)],
            "ms",
            rising(150, 400),
            follow="/?at={at}",
        ),
        Chart("jitter", "Jitter", moments[5:], [Series("Received", [7.5] * 25)], "ms"),
        Chart("begun", "Begun", seconds, [Series("Received", [7.5, 8.5])], "ms"),
    ]


@pytest.fixture
def show(chromium):
    """Opens a page of charts; fails the test for whatever the browser complains of."""
    complaints: list[str] = []
    contexts = []

    def answer(route):
        path = route.request.url.removeprefix(_SITE).partition("?")[0]
        if path == "/":
            head = render_to_string("ui/head.html", {"theme": "auto"})
            drawn = "".join(render_to_string("ui/chart.html", {"chart": each}) for each in charts())
            body = (
                f'<!doctype html><html lang="en-gb"><head>{head}<title>Charts</title></head>'
                f"<body><main><h1>Charts</h1><h2>Audio</h2>{drawn}</main>"
                f"{render_to_string('ui/foot.html')}</body></html>"
            )
            policy = build_policy(nonce="none")
            route.fulfill(
                body=body,
                content_type="text/html; charset=utf-8",
                headers={"Content-Security-Policy": policy},
            )
            return
        found = finders.find(path.removeprefix(f"/{settings.STATIC_URL.strip('/')}/"))
        if found and Path(found).suffix in _TYPES:
            content = Path(found).read_bytes()
            route.fulfill(body=content, content_type=_TYPES[Path(found).suffix])
        else:
            route.fulfill(status=204)

    def open_(**options):
        context = chromium.new_context(**{"viewport": DESK, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else 0)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.route(f"{_SITE}/**", answer)
        page.goto(f"{_SITE}/")
        page.locator("canvas").nth(1).wait_for()
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


def ink(page):
    return set(page.locator("canvas").first.evaluate(_INK))


def test_charts_are_drawn_under_csp_in_colours_of_both_themes(show):
    page = show(color_scheme="light")
    light = ink(page)
    page.emulate_media(color_scheme="dark")
    assert "52,81,209" in light
    drawn = f"() => ({_INK})(document.querySelector('canvas')).includes('163,181,255')"
    page.wait_for_function(drawn)


@pytest.mark.deep
def test_the_crosshair_moves_through_all_charts_together(show):
    page = show()
    first, second = page.locator("figure").all()[:2]
    first.locator(".u-over").hover(position={"x": 600, "y": 40})
    expect(first.locator("[data-chart-moment]")).not_to_be_empty()
    shown = first.locator("[data-chart-moment]").inner_text()
    expect(second.locator("[data-chart-moment]")).to_have_text(shown)
    expect(second.locator("[data-chart-value]")).to_have_text("7.5 ms")


def test_a_chart_is_read_moment_by_moment_with_the_keyboard(show):
    page = show(timezone_id="Asia/Tokyo")
    slider = page.get_by_role("slider", name="Latency")
    slider.focus()
    page.keyboard.press("ArrowRight")
    read = "2 Mar, 09:00: Received 20 ms, good; Sent 60 ms, good"
    expect(slider).to_have_attribute("aria-valuetext", read)
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    read = "2 Mar, 09:08: Received no value; Sent 60 ms, good"
    expect(slider).to_have_attribute("aria-valuetext", read)
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuenow", "29")
    expect(page.get_by_role("slider", name="Jitter")).to_have_attribute("aria-valuenow", "24")
    page.keyboard.press("Escape")
    expect(slider).to_have_attribute("aria-valuetext", "No moment chosen")


@pytest.mark.deep
def test_enter_follows_the_moment_at_the_crosshair(show):
    page = show()
    page.get_by_role("slider", name="Latency").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?at=2026-03-02T09%3A00%3A00Z")


@pytest.mark.deep
def test_the_figures_stand_in_a_table_below(show):
    page = show()
    table = page.get_by_role("table").first
    expect(table).to_be_hidden()
    page.get_by_text("Table of Latency").click()
    expect(table.get_by_role("row", name="2 Mar, 09:19 495 ms Poor 60 ms")).to_be_visible()
    expect(table.get_by_role("row", name="2 Mar, 09:08 – 60 ms")).to_be_visible()  # noqa: RUF001


@pytest.mark.deep
def test_moments_of_one_minute_are_named_once(show):
    page = show(color_scheme="light")
    page.evaluate("""() => {
      window.drawn = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        if (document.querySelectorAll("figure")[2].contains(this.canvas))
          window.drawn.push(text);
        fillText.call(this, text, ...rest);
      };
    }""")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => window.drawn.some((text) => text.includes(':'))")
    assert page.evaluate("window.drawn.filter((text) => text.includes(':')).length") == 1


@pytest.mark.deep
def test_charts_are_accessible_and_fit_a_phone(show):
    page = show(viewport={"width": 390, "height": 844})
    page.get_by_text("Table of Latency").click()
    assert violations(page) == []
    assert not is_wider_than_the_window(page)
    assert page.locator("canvas").first.bounding_box()["width"] <= 390


@pytest.mark.deep
def test_charts_are_printed_in_light_colours(show):
    page = show(color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert "52,81,209" in ink(page)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert "163,181,255" in ink(page)
