/* Free times of a calendar are one stop of the keyboard: the arrows go from one to the other. */
(() => {
  const steps = { ArrowLeft: ["across", -1], ArrowRight: ["across", 1], ArrowUp: ["down", -1], ArrowDown: ["down", 1] };

  document.addEventListener("keydown", (event) => {
    const [way, sign] = steps[event.key] ?? [];
    const slot = event.target.closest("a[data-slot]");
    if (!way || !slot || event.ctrlKey || event.metaKey || event.altKey) return;
    const box = slot.closest("[data-slots]");
    const all = [...box.querySelectorAll("[data-slot]")];
    const next = all[all.indexOf(slot) + sign * Number(box.dataset[way])];
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!next?.href) return;
    slot.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }, true);

  /* Where today is not shown, the first is the stop. */
  function prepare() {
    for (const box of document.querySelectorAll("[data-slots]:not(:has(a[data-slot]:not([tabindex='-1'])))")) {
      box.querySelector("a[data-slot]")?.removeAttribute("tabindex");
    }
  }
  queueMicrotask(prepare);
  document.addEventListener("htmx:afterSettle", prepare);
})();
