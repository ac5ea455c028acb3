/* Chosen rows of a list: counted, kept from page to page, reached with the keyboard. Without this,
   the checkboxes are still fields of their form. */
(() => {
  const STORED = "switchboard.chosen";
  let chosen = new Map();
  let all = false;
  let last = null;

  const form = () => document.getElementById("selection");
  const boxes = () => [...document.querySelectorAll("#results input[name=chosen]")];
  const isOn = (box) => all || chosen.has(box.value);

  /* One selection a tab: of the list at this address, while its filters stay. */
  const scope = () => `${location.pathname}?${form().elements.matching.value}`;

  const total = () => Number(form().dataset.count);

  function stored() {
    try {
      return JSON.parse(sessionStorage.getItem(STORED)) ?? {};
    } catch {
      return {}; // storage that is off or full keeps nothing
    }
  }

  function store(kept) {
    try {
      if (kept.all || kept.ids?.length) sessionStorage.setItem(STORED, JSON.stringify(kept));
      else sessionStorage.removeItem(STORED);
    } catch { /* the same */ }
  }

  /* `chosen` holds where each row was ticked. A row that has left the list is not chosen any more:
     one that is not on the list's only page, or not on its page of a list that became shorter. */
  function recall() {
    chosen = new Map();
    all = false;
    last = null;
    if (!form()) return;
    const kept = stored();
    if (kept.scope === scope()) {
      const here = new Set(boxes().map((box) => box.value));
      const isWhole = here.size >= total();
      const isShorter = total() < kept.count;
      const isGone = ([id, place]) =>
        !here.has(id) && (isWhole || (isShorter && place === location.search));
      chosen = new Map(kept.ids.filter((each) => !isGone(each)));
      all = kept.all;
      keep();
    } else draw();
  }

  function keep() {
    store({ scope: scope(), ids: [...chosen], all, count: total() });
    draw();
  }

  function draw() {
    const bar = form();
    const here = boxes();
    const { one, many } = bar.dataset;
    const count = all ? total() : chosen.size;
    const words = `${count.toLocaleString(document.documentElement.lang)} ${count === 1 ? one : many}`;
    for (const box of here) box.checked = isOn(box);
    const onPage = here.filter(isOn).length;
    const page = document.querySelector("[data-select-page]");
    if (page) {
      page.checked = here.length > 0 && onPage === here.length;
      page.indeterminate = onPage > 0 && onPage < here.length;
    }
    const shown = new Set(here.map((box) => box.value));
    bar.elements.kept.value = all ? "" : [...chosen.keys()].filter((id) => !shown.has(id)).join(" ");
    bar.elements.all.checked = all;
    bar.toggleAttribute("data-any", count > 0);
    bar.querySelector("[data-selection-words]").textContent = count ? switchboard.say("selected", { what: words }) : "";
    for (const verb of bar.querySelectorAll("[data-selection-verb]")) {
      verb.textContent = switchboard.say("action", { verb: verb.dataset.selectionVerb, what: words });
    }
  }

  function choose(some, on) {
    if (all && !on) chosen = new Map(boxes().map((box) => [box.value, location.search]));
    if (!on) all = false;
    for (const box of some) {
      if (on) chosen.set(box.value, location.search);
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
    chosen = new Map();
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

  /* A form that carries a selection on is an action on what was chosen: once it is done, those are
     not chosen any more. Away from the list they are taken out of what is kept for it. */
  const carried = (target) => {
    const sent = target.closest?.("form");
    return sent && sent !== form() && (sent.elements.kept || sent.elements.all) ? sent : null;
  };

  function handOn(sent) {
    if (form()) return clear();
    const kept = stored();
    const ids = new Set(sent.elements.kept?.value.split(" "));
    store({ ...kept, all: kept.all && !sent.elements.all, ids: kept.ids?.filter(([id]) => !ids.has(id)) });
  }

  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { elt, xhr, requestConfig } = event.detail;
    const sent = requestConfig.verb === "post" && carried(elt);
    if (!sent || xhr.status >= 400 || xhr.getResponseHeader("HX-Fault")) return;
    // A page that asks on carries the selection too; what tells of the outcome does not.
    if (xhr.getResponseHeader("HX-Redirect") || !/name="(kept|all)"/.test(xhr.responseText)) handOn(sent);
  });
  document.addEventListener("submit", (event) => {
    if (event.target === form() && "atOnce" in event.target.dataset) return store({});
    const sent = carried(event.target);
    if (sent && !sent.hasAttribute("hx-post")) handOn(sent);
  });

  document.addEventListener("DOMContentLoaded", recall);
  window.addEventListener("pageshow", (event) => event.persisted && recall());
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "results" || event.target.querySelector("#results")) recall();
  });
})();
