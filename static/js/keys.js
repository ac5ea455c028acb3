/* The keys of a page: its search, its rows, what can be done to those that are selected, and the
   dialog that lists them. Rows are links, so that Enter opens one; nothing but the focus is moved. */
(() => {
  const SINGLE = "single-keys";
  /* What stands for a row: its link, or in a plan what leaves out a row that is nowhere yet. */
  const ROW = ":is(a.row-link, tr:not(:has(.row-link)) .job-row-act)";
  const links = () => [...document.querySelectorAll(`main ${ROW}`)].filter((one) => one.checkVisibility());
  const linkBeside = (element) => element.closest("tr, li")?.querySelector(ROW);
  /* `g` and one of these lead to a page of the navigation, by its place below the account's. */
  const GO = {
    h: "/", l: "dashboards/", p: "people/", g: "groups/", c: "calendar/", m: "meetings/", w: "webinars/",
    r: "recordings/", i: "reports/", a: "/audit/", j: "jobs/", s: "/settings/",
  };
  const placeOf = (link) => link.pathname.replace(/^\/c\/[^/]+\//, "");
  const goKey = (link) => Object.keys(GO).find((key) => GO[key] === placeOf(link));
  const goTo = (key) => [...document.querySelectorAll(".sb-nav a")].find((link) => GO[key] && GO[key] === placeOf(link));
  let went = -Infinity; // when `g` was pressed

  const search = () => document.querySelector("main input[type=search]");
  const isTypedInto = (element) => element.matches("input, select, textarea, [contenteditable]");
  /* Where the keys move something else. */
  const isOwnKey = (element) =>
    element.matches("select, textarea, input:not([type=checkbox]), [contenteditable], [role=slider]") ||
    element.closest("[popovertarget], .dropdown-menu, [role=listbox]");

  /* Keys of one character can be turned off, for those who speak to their browser. */
  function isOn() {
    try {
      return localStorage.getItem(SINGLE) !== "off";
    } catch {
      return true; // storage that is off
    }
  }

  function turn(on) {
    try {
      if (on) localStorage.removeItem(SINGLE);
      else localStorage.setItem(SINGLE, "off");
    } catch { /* the same: they stay on */ }
  }

  /* The keys that do something here; the rest of the list is left out. */
  function open() {
    const dialog = document.getElementById("dialog");
    const list = document.getElementById("keys")?.content.cloneNode(true);
    if (!list || document.querySelector("dialog[open]")) return;
    for (const key of list.querySelectorAll("[data-key-of]")) {
      if (!document.querySelector(key.dataset.keyOf)) key.remove();
    }
    for (const group of list.querySelectorAll("[data-key-group]")) {
      if (!group.querySelector("dt")) group.remove();
    }
    list.querySelector("[data-single-keys]").checked = isOn();
    document.getElementById("dialog-body").replaceChildren(list);
    dialog.showModal();
  }

  const single = {
    "?": () => (open(), true),
    "/": () => {
      search()?.focus();
      search()?.select();
      return search();
    },
    a: () => {
      const button = document.querySelector("#selection[data-any] .sb-selection-actions button");
      button?.focus();
      return button;
    },
    x: () => {
      const button = document.activeElement.closest("tr")?.querySelector(".job-row-act");
      button?.click();
      return button;
    },
  };

  /* Up from the first row is the search, and down from the search the first row. */
  function go(target, key) {
    const all = links();
    const at = all.indexOf(linkBeside(target) ?? target);
    const isOutside = target === document.body || target.matches("#main, h1") || target === search();
    if (at < 0 && !(isOutside && key === "ArrowDown")) return null;
    if (key === "Home") return all[0];
    if (key === "End") return all.at(-1);
    return all[at + (key === "ArrowDown" ? 1 : -1)] ?? (at === 0 && key === "ArrowUp" ? search() : null);
  }

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const isSingle = !isTypedInto(target) && isOn();
    const page = isSingle && event.timeStamp - went < 1500 && goTo(key);
    went = isSingle && key === "g" && !page ? event.timeStamp : -Infinity;
    if (page) {
      event.preventDefault();
      page.click();
    } else if (single[key] && isSingle) {
      if (single[key]()) event.preventDefault();
    } else if (["ArrowDown", "ArrowUp", "Home", "End"].includes(key) && !event.shiftKey) {
      if (target !== search() && isOwnKey(target)) return;
      if (target === search() && key !== "ArrowDown") return;
      const next = go(target, key);
      if (!next) return;
      event.preventDefault();
      next.focus();
    }
  });

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-keys]");
    if (!opener) return;
    opener.closest("[popover]")?.hidePopover();
    open();
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-single-keys]")) turn(event.target.checked);
  });

  window.switchboard = Object.assign(window.switchboard ?? {}, { goKey });
})();
