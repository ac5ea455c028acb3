/* Where the focus is. A page or a dialog that asks something opens with it on the first field; after a
   part of the page was swapped, or a form led back to its page, it is where the hand was, and never on
   nothing. */
(() => {
  const STORED = "switchboard.focus";
  const STOPS = "a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary";
  const FIELDS = "input:enabled:not([type=hidden], [type=submit], [type=button], [readonly]), select:enabled, textarea:enabled";
  /* Forms that are what a page is for. */
  const ASKING = "#content > form.sb-form, main:not(.sb-main) form.sb-form";

  const isLost = () => !document.activeElement || document.activeElement === document.body;
  const isSeen = (element) => element.checkVisibility();
  const seen = (root, selector) => [...root.querySelectorAll(selector)].filter(isSeen);
  const wordsOf = (element) => (element.ariaLabel || element.textContent).trim().replace(/\s+/g, " ");

  function put(element) {
    if (!element) return false;
    if (!element.matches(STOPS)) element.tabIndex = -1;
    element.focus({ preventScroll: element.getBoundingClientRect().top >= 0 && element.getBoundingClientRect().bottom <= innerHeight });
    return document.activeElement === element;
  }

  /* What is picked already, or generated, is no question any more. Of choices that are all to be seen,
     one with the focus would look chosen: their question has it. */
  function first(root) {
    const field = seen(root, FIELDS).find((one) => {
      const picker = one.closest("[data-picker]");
      return !one.closest("[data-picked]") && !(picker && !picker.matches("[data-several]") && picker.querySelector("[data-picked] :checked"));
    });
    if (!field?.matches("[type=radio], [type=checkbox]")) return field;
    return field.closest("fieldset")?.querySelector("legend") ?? field;
  }

  /* An error that is summed up comes first; in a dialog without a field, what is safe. */
  function begin(root) {
    const form = root.matches("form") ? root : root.querySelector("form[method=post]");
    const own = root.querySelector("[autofocus]") ?? (form && first(form));
    const isDanger = root.querySelector(".btn-danger[type=submit]");
    const safe = () => seen(root, isDanger ? ".btn-list [data-close]" : ".btn-list :is([type=submit]:enabled, [data-close])")[0];
    return put(own) || put(safe()) || put(root.querySelector("h1, h2"));
  }

  /* Where the hand is: enough to find it again in what comes instead. */
  function traced(element) {
    if (!element || element === document.body) return null;
    const row = element.closest("main tr, main li");
    const rows = row ? seen(row.parentElement, ":scope > *") : [];
    return {
      path: location.pathname,
      id: element.id,
      name: element.name ?? "",
      value: element.matches("[type=radio], [type=checkbox], button") ? element.value : "",
      href: element.getAttribute("href") ?? "",
      words: element.matches("a, button, summary") ? wordsOf(element) : "",
      list: row?.parentElement.closest("[id]")?.id ?? "",
      row: rows.indexOf(row),
      boxes: [...ancestors(element)],
    };
  }

  function* ancestors(element) {
    for (let box = element.closest("[id]"); box; box = box.parentElement?.closest("[id]")) yield box.id;
  }

  const same = (all, trace) =>
    (trace.name && all.find((one) => one.name === trace.name && (!trace.value || one.value === trace.value))) ||
    (trace.href && all.find((one) => one.getAttribute("href") === trace.href));

  /* The same, what stands in its row's place, what is called the same, or the nearest part around it. */
  function refind(trace) {
    const own = trace.id && document.getElementById(trace.id);
    if (own && isSeen(own)) return own;
    const all = seen(document, `main :is(${STOPS})`);
    const equal = same(all, trace);
    if (equal) return equal;
    const boxes = trace.boxes.map((id) => document.getElementById(id)).filter((box) => box && isSeen(box));
    const list = trace.row >= 0 && boxes.find((box) => box.querySelector("tr, li"));
    const rows = list ? seen(list, "tbody > tr, li").filter((row) => row.querySelector(STOPS)) : [];
    const row = rows[Math.min(trace.row, rows.length - 1)];
    if (row) return row.querySelector("a.row-link") ?? [...row.querySelectorAll(STOPS)].find((one) => wordsOf(one) === trace.words) ?? row.querySelector(STOPS);
    const [near] = boxes;
    if (!near || near.id === "content" || near.id === "main") return document.querySelector("main h1");
    const form = near.matches("form") ? near : near.querySelector("form");
    return (form && first(form)) ?? seen(near, STOPS).find((one) => trace.words && wordsOf(one) === trace.words) ?? near.querySelector("h1, h2, h3") ?? near;
  }

  let trace = null;
  let opener = null; // of the dialog
  const dialog = () => document.querySelector("dialog[open]");

  document.addEventListener("focusin", ({ target }) => {
    if (target.closest("dialog")) return;
    trace = traced(target);
    opener = trace;
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!target.closest("dialog, a, button, input, select, textarea, label, summary")) trace = null;
  });

  function restore() {
    if (!isLost() || dialog()) return;
    if (trace) put(refind(trace));
  }

  document.addEventListener("htmx:afterSettle", (event) => {
    const own = dialog();
    if (own?.contains(event.target)) {
      if (isLost() || !own.contains(document.activeElement) || document.activeElement.matches(".modal-header [data-close]")) begin(own);
    } else restore();
  });
  document.addEventListener("close", () => requestAnimationFrame(restore), true); // once it is empty

  /* A form that leads back to its page gives the focus back there. */
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const goesTo = event.detail.xhr.getResponseHeader("HX-Redirect");
    if (goesTo) store(opener, goesTo);
  });
  document.addEventListener("submit", (event) => {
    if (event.target.method === "post" && !event.target.hasAttribute("hx-post")) store(trace, location.pathname);
  });

  function store(from, goesTo) {
    try {
      const { pathname } = new URL(goesTo, location);
      if (from && pathname === from.path) sessionStorage.setItem(STORED, JSON.stringify(from));
    } catch { /* storage that is off keeps nothing */ }
  }

  function stored() {
    try {
      const from = JSON.parse(sessionStorage.getItem(STORED));
      sessionStorage.removeItem(STORED);
      return from?.path === location.pathname ? from : null;
    } catch {
      return null;
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const from = stored();
    if (!isLost() || location.hash || document.querySelector("main [autofocus]")) return;
    const form = [...document.querySelectorAll(ASKING)].find(isSeen);
    if (form && !document.querySelector("#results")) begin(form);
    else if (from) put(refind(from));
  });

  document.addEventListener("focusin", ({ target }) => {
    if (target.matches("[data-select]")) target.select();
  });

  window.switchboard = Object.assign(window.switchboard ?? {}, { begin });
})();
