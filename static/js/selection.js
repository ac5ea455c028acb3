/* Chosen rows of a list: counted, kept from page to page, reached with the keyboard. Without this,
   the checkboxes are still fields of their form. */
(() => {
  const STORED = "switchboard.selection";
  let chosen = new Set();
  let all = false;
  let last = null;

  const form = () => document.getElementById("selection");
  const boxes = () => [...document.querySelectorAll("#results input[name=chosen]")];
  const isOn = (box) => all || chosen.has(box.value);

  /* One selection a tab: of the list at this address, while its filters stay. */
  const scope = () => `${location.pathname}?${form().elements.matching.value}`;

  function recall() {
    chosen = new Set();
    all = false;
    last = null;
    if (!form()) return;
    try {
      const kept = JSON.parse(sessionStorage.getItem(STORED)) ?? {};
      if (kept.scope === scope()) [chosen, all] = [new Set(kept.ids), kept.all];
    } catch { /* storage that is off or full keeps nothing */ }
    draw();
  }

  function keep() {
    try {
      if (chosen.size || all) sessionStorage.setItem(STORED, JSON.stringify({ scope: scope(), ids: [...chosen], all }));
      else sessionStorage.removeItem(STORED);
    } catch { /* the same */ }
    draw();
  }

  function draw() {
    const bar = form();
    const here = boxes();
    const { one, many } = bar.dataset;
    const count = all ? Number(bar.dataset.count) : chosen.size;
    const words = `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;
    for (const box of here) box.checked = isOn(box);
    const onPage = here.filter(isOn).length;
    const page = document.querySelector("[data-select-page]");
    if (page) {
      page.checked = here.length > 0 && onPage === here.length;
      page.indeterminate = onPage > 0 && onPage < here.length;
    }
    const shown = new Set(here.map((box) => box.value));
    bar.elements.kept.value = all ? "" : [...chosen].filter((id) => !shown.has(id)).join(" ");
    bar.elements.all.checked = all;
    bar.toggleAttribute("data-any", count > 0);
    bar.querySelector("[data-selection-words]").textContent = count ? `${words} selected` : "";
    for (const verb of bar.querySelectorAll("[data-selection-verb]")) {
      verb.textContent = `${verb.dataset.selectionVerb} ${words}`;
    }
  }

  function choose(some, on) {
    if (all && !on) chosen = new Set(boxes().map((box) => box.value));
    if (!on) all = false;
    for (const box of some) {
      if (on) chosen.add(box.value);
      else chosen.delete(box.value);
    }
    keep();
  }

  function toggle(box, on, isRange) {
    const here = boxes();
    const from = isRange ? here.findIndex((other) => other.value === last) : -1;
    const at = here.indexOf(box);
    last = box.value;
    choose(from < 0 ? [box] : here.slice(Math.min(from, at), Math.max(from, at) + 1), on);
  }

  function clear() {
    const returns = form().contains(document.activeElement);
    chosen = new Set();
    all = false;
    keep();
    if (returns) document.querySelector("main input[type=search], #results .row-link")?.focus();
  }

  document.addEventListener("click", (event) => {
    const box = event.target.closest?.("#results input[name=chosen]");
    if (box) toggle(box, box.checked, event.shiftKey);
  });

  /* A range is chosen, not marked as text. */
  document.addEventListener("mousedown", (event) => {
    if (event.shiftKey && event.target.closest?.(".cell-select")) event.preventDefault();
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-select-page]")) choose(boxes(), event.target.checked);
    if (event.target.form === form() && event.target.name === "all") {
      if (!event.target.checked) return clear();
      all = true;
      keep();
    }
  });

  document.addEventListener("reset", (event) => {
    if (event.target === form()) setTimeout(clear);
  });

  document.addEventListener("keydown", (event) => {
    if (!form() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open], :popover-open")) return;
    const box = event.target.closest("tr")?.querySelector("input[name=chosen]");
    if (event.key.toLowerCase() === "x" && box) {
      event.preventDefault();
      toggle(box, !isOn(box), event.shiftKey);
    }
    if (event.key === "Escape" && form().hasAttribute("data-any")) clear();
  });

  /* What was chosen has been handed on. */
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const leaves = event.detail.xhr.getResponseHeader("HX-Redirect");
    if (leaves && event.detail.elt.closest("[data-ends-selection]")) sessionStorage.removeItem(STORED);
  });
  document.addEventListener("submit", (event) => {
    if (event.target.closest("main [data-ends-selection]")) sessionStorage.removeItem(STORED);
  });

  document.addEventListener("DOMContentLoaded", recall);
  window.addEventListener("pageshow", (event) => event.persisted && recall());
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "results") recall();
  });
})();
