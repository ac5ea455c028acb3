/* Settings, of one or side by side: only what differs, how many are found, and the search in the
   address.

   changes.js finds and counts; it takes what the page came with for unchanged. A form that comes back
   with what was typed says in data-was what is unchanged instead. */
(() => {
  const form = () => document.querySelector("form[data-settings]");
  const rows = (root) => [...root.querySelectorAll("[data-field]")];
  const plural = (count, total) =>
    count === total ? switchboard.say("settings", { total }) : switchboard.say("settings-of", { found: count, total });

  function rebase(row) {
    if (row.dataset.was === undefined) return;
    const { was } = row.dataset;
    for (const control of row.querySelectorAll("input, select, textarea")) {
      const { checked, value } = control;
      if (control.type === "checkbox") {
        control.defaultChecked = was === "true";
        control.checked = checked;
      } else if (control.options) {
        for (const option of control.options) option.defaultSelected = option.value === was;
        control.value = value;
      } else {
        control.defaultValue = was;
        control.value = value;
      }
    }
    delete row.dataset.was;
  }

  function narrow() {
    const page = form();
    if (!page) return;
    const search = page.querySelector("[data-filter]");
    const only = page.querySelector("[data-settings-different]")?.checked ?? false;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const row of rows(page)) {
      const { textContent } = row.querySelector("[data-searched]") ?? row;
      const text = `${row.dataset.field} ${textContent}`.toLowerCase();
      const matches = words.every((word) => text.includes(word));
      const differs = row.matches("[data-differs], [data-changed], .is-wrong");
      row.hidden = !matches || (only && !differs);
      found += !row.hidden;
    }
    for (const group of page.querySelectorAll("[data-group]")) {
      const shown = group.querySelectorAll("[data-field]:not([hidden])").length;
      group.hidden = shown === 0;
      const jump = page.querySelector(`[data-jump="${group.dataset.group}"]`);
      if (!jump) continue;
      jump.hidden = shown === 0;
      jump.querySelector(".badge").textContent = shown;
    }
    const total = rows(page).length;
    page.querySelector("[data-settings-found]").textContent = plural(found, total);
    page.querySelector("[data-no-match]").hidden = found > 0;
    remember(page, search.value.trim(), only);
  }

  /* What differs is either asked for, or shown unless all is. */
  function remember(page, text, only) {
    const all = page.querySelector("[data-settings-all]");
    const url = new URL(location.href);
    for (const name of ["q", "different", "show"]) url.searchParams.delete(name);
    if (text) url.searchParams.set("q", text);
    if (all?.checked) url.searchParams.set("show", "all");
    else if (only && !all) url.searchParams.set("different", "on");
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  }

  function prepare() {
    const page = form();
    if (!page) return;
    // With scripts the search needs no button, and Enter in a field means the review.
    page.querySelector("[data-settings-find]")?.remove();
    for (const row of rows(page)) rebase(row);
    page.dispatchEvent(new Event("input", { bubbles: true }));
  }

  document.addEventListener("input", (event) => {
    if (event.target.closest("form[data-settings]") && event.target.matches("[data-filter], [data-settings-different], [data-settings-all]")) narrow();
  });

  document.addEventListener("keydown", (event) => {
    if (!event.target.matches("form[data-settings] [data-filter]")) return;
    if (event.key === "Enter") event.preventDefault();
    if (event.key === "Escape" && event.target.value) {
      event.preventDefault();
      event.target.value = "";
      event.target.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-settings-clear]")) return;
    const page = form();
    event.preventDefault();
    const all = page.querySelector("[data-settings-all]");
    if (all) all.checked = true;
    else page.querySelector("[data-settings-different]").checked = false;
    const search = page.querySelector("[data-filter]");
    search.value = "";
    search.dispatchEvent(new Event("input", { bubbles: true }));
    search.focus();
  });

  document.addEventListener("close-dialog", () => document.getElementById("dialog").close());
  queueMicrotask(prepare);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.querySelector?.("form[data-settings]")) prepare();
  });
})();
