/* [data-live]: what keeps itself fresh. It is morphed in place, asked for seldom while nobody sees
   it, and says since when it is stale instead of complaining each time. */
(() => {
  const hiddenPause = 15000;
  const asked = new WeakMap();

  const isLive = (event) => event.detail.elt?.matches?.("[data-live]");

  /* What a person opened, or types, is theirs; a button that has focus says what it does now. What
     a script has drawn is its own. */
  const config = {
    morphStyle: "outerHTML",
    ignoreActiveValue: true,
    callbacks: {
      beforeNodeMorphed: (node) => !node.matches?.("[data-chart-plot]"),
      beforeAttributeUpdated: (name, element) => !(name === "open" && element.matches("details, dialog")),
    },
  };

  /* Rows under [data-steady] keep their places while somebody points at them, has the focus there or
     has scrolled; the new order waits behind a button. */
  const isUsed = (list) => list.matches(":hover") || list.contains(document.activeElement) || scrollY > 0;
  let order = null; // ids, as they would stand now

  function steady(target, fragment) {
    const [list, next] = [target, fragment].map((root) => root.querySelector("[data-steady]"));
    if (!list || !next) return;
    const place = new Map([...list.children].map((row, at) => [row.id, at]));
    const wanted = [...next.children].map((row) => row.id);
    const places = wanted.filter((id) => place.has(id)).map((id) => place.get(id));
    const isMoved = places.some((at, number) => at < places[number - 1]);
    order = isMoved && isUsed(list) ? wanted : null;
    if (!order) return;
    const placeOf = (row) => place.get(row.id) ?? place.size;
    next.append(...[...next.children].sort((one, other) => placeOf(one) - placeOf(other)));
  }

  function offer() {
    const button = document.querySelector("[data-sort-anew]");
    if (button) button.hidden = !order;
  }

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-sort-anew]") || !order) return;
    const list = document.querySelector("[data-steady]");
    list.append(...order.map((id) => document.getElementById(id)).filter(Boolean));
    order = null;
    offer();
  });
  document.addEventListener("htmx:afterSettle", offer);

  document.addEventListener("DOMContentLoaded", () => {
    htmx.defineExtension("morph", {
      isInlineSwap: (style) => style === "morph",
      handleSwap: (style, target, fragment) => {
        if (style !== "morph") return false;
        steady(target, fragment);
        return Idiomorph.morph(target, fragment.children, {
          ...config,
          ignoreActiveValue: !document.activeElement?.matches("button"),
        });
      },
    });
  });

  document.addEventListener("htmx:configRequest", (event) => {
    if (isLive(event) && document.hidden) event.detail.headers["X-Unwatched"] = "true";
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!isLive(event)) return;
    const { elt } = event.detail;
    const selects = elt.contains(getSelection()?.anchorNode) && String(getSelection());
    const isTooSoon = document.hidden && Date.now() - (asked.get(elt) ?? 0) < hiddenPause;
    if (isTooSoon || selects) event.preventDefault();
    else asked.set(elt, Date.now());
  });

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    for (const element of document.querySelectorAll("[data-live]")) htmx.trigger(element, "live");
  });

  for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.addEventListener(name, (event) => {
      if (!isLive(event)) return;
      event.stopImmediatePropagation();
      event.detail.elt.classList.add("is-stale");
    }, true);
  }

  document.addEventListener("htmx:afterRequest", (event) => {
    if (isLive(event) && event.detail.successful) event.detail.elt.classList.remove("is-stale");
  });
})();
