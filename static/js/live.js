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

  document.addEventListener("DOMContentLoaded", () => {
    htmx.defineExtension("morph", {
      isInlineSwap: (style) => style === "morph",
      handleSwap: (style, target, fragment) =>
        style === "morph" &&
        Idiomorph.morph(target, fragment.children, {
          ...config,
          ignoreActiveValue: !document.activeElement?.matches("button"),
        }),
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
