/* Nothing typed into a long form is lost by leaving it.

   <form data-draft> warns before it is left with something unsaved, as <form data-settings> does, and
   keeps what was changed until it is sent: Back, a reload and an expired session give it back in the
   same tab, and for a day any tab of the browser does once that one is closed. Only what differs from
   the page is kept, so that what others saved meanwhile stays; secrets and files never, and nothing
   of a user who signed out, or is another than the one before. */
(() => {
  const STORED = "switchboard.draft:";
  const storedFor = 24 * 60 * 60 * 1000; // ms
  let isSending = false;

  const drafted = () => [...document.querySelectorAll("form[data-draft]")];
  const person = () => document.querySelector(".sb-own")?.dataset.person ?? "";
  const keyOf = (form) => `${STORED}${person()}:${location.pathname}${location.search}:${form.id}`;

  const isSecret = (control) =>
    control.type === "password" || document.querySelector(`[data-reveal="${CSS.escape(control.id)}"]`);
  const isPick = (control) => control.closest("[data-picker]");
  const controls = (form) =>
    [...form.elements].filter(
      (control) =>
        control.name &&
        control.matches("input:not([type=hidden], [type=file], [type=search], [type=submit]), select, textarea") &&
        !isSecret(control) && !isPick(control),
    );
  const isChoice = (control) => control.matches("[type=checkbox], [type=radio]");
  const nameOf = (control) => (isChoice(control) ? `${control.name}=${control.value}` : control.name);
  const stateOf = (control) => (isChoice(control) ? control.checked : control.value);

  const pickers = (form) => [...form.querySelectorAll("[data-picker]")];
  const picks = (picker) =>
    [...picker.querySelectorAll("[data-picked] > li")].map((entry) => {
      const { value, checked } = entry.querySelector("input");
      const textOf = (part) => entry.querySelector(part)?.textContent ?? "";
      const { name } = entry.querySelector("[data-name]").dataset;
      return { value, checked, name, note: textOf("small"), initials: textOf(".avatar") };
    });
  const picked = (picker) => String([...picker.querySelectorAll("[data-picked] :checked")].map((box) => box.value));

  function read(form) {
    try {
      return JSON.parse(sessionStorage.getItem(keyOf(form))) ?? {};
    } catch {
      return {}; // storage that is off keeps nothing
    }
  }

  function write(form, draft) {
    const key = keyOf(form);
    try {
      if (Object.keys(draft).length) {
        sessionStorage.setItem(key, JSON.stringify(draft));
        localStorage.setItem(key, JSON.stringify({ at: Date.now(), draft }));
      } else for (const storage of [sessionStorage, localStorage]) storage.removeItem(key);
    } catch { /* the same, or it is full */ }
  }

  function remove(storage, isMeant) {
    for (const key of Object.keys(storage)) if (key.startsWith(STORED) && isMeant(key)) storage.removeItem(key);
  }

  const isOver = (key) => {
    const { at } = JSON.parse(localStorage.getItem(key));
    return !(Date.now() - at < storedFor);
  };

  /* A tab that has the form open holds a lock, where the browser has locks: its draft is its own. */
  async function adopt(form) {
    const key = keyOf(form);
    try {
      if (person()) remove(localStorage, (each) => !each.startsWith(`${STORED}${person()}:`) || isOver(each));
      const stored = localStorage.getItem(key);
      const locks = (await navigator.locks?.query())?.held ?? [];
      if (stored && !sessionStorage.getItem(key) && !locks.some((lock) => lock.name === key)) {
        sessionStorage.setItem(key, JSON.stringify(JSON.parse(stored).draft));
      }
      navigator.locks?.request(key, { mode: "shared" }, () => new Promise(() => {}));
    } catch { /* storage that is off */ }
  }

  function keep(form) {
    const draft = read(form);
    for (const control of controls(form)) {
      const name = nameOf(control);
      if (switchboard.isChanged(control) || name in draft) draft[name] = stateOf(control);
    }
    for (const picker of pickers(form)) {
      const { id } = picker;
      if (picked(picker) !== picker.dataset.were || id in draft) draft[id] = picks(picker);
    }
    write(form, draft);
  }

  function put(control, state) {
    if (isChoice(control)) control.checked = state;
    else control.value = state;
  }

  /* An entry like those that the server makes. */
  function entryOf(picker, pick) {
    const entry = picker.querySelector("template").content.firstElementChild.cloneNode(true);
    const { value, checked, name, note, initials } = pick;
    const main = entry.querySelector("[data-name]");
    Object.assign(entry.querySelector("input"), { name: picker.dataset.picks, value, checked });
    main.dataset.name = main.firstChild.textContent = name;
    for (const [part, text] of [["small", note], [".avatar", initials]]) {
      const place = entry.querySelector(part);
      if (text) place.textContent = text;
      else place.remove();
    }
    return entry;
  }

  /* `only` says which fields are given back; without it all are, and the pickers. */
  function giveBack(form, only = null) {
    const draft = read(form);
    let given = 0;
    for (const control of controls(form)) {
      const state = draft[nameOf(control)];
      if (state === undefined || state === stateOf(control) || (only && !only(control))) continue;
      put(control, state);
      given += 1;
    }
    for (const picker of only ? [] : pickers(form)) {
      if (!(picker.id in draft)) continue;
      picker.querySelector("[data-picked]").replaceChildren(...draft[picker.id].map((pick) => entryOf(picker, pick)));
      given += 1;
    }
    if (given) for (const kind of ["input", "change"]) form.dispatchEvent(new Event(kind, { bubbles: true }));
    return given;
  }

  function tell(form) {
    const note = document.getElementById("draft-notice").content.firstElementChild.cloneNode(true);
    form.before(note);
    switchboard.announce(note.querySelector("p").textContent);
  }

  const isDirty = (form) =>
    form.querySelector("[data-changed], [data-summary]") ||
    controls(form).some(switchboard.isChanged) ||
    pickers(form).some((picker) => picked(picker) !== picker.dataset.were);
  const unsaved = () =>
    [...document.querySelectorAll("form[data-settings]")].some((form) => form.querySelector("[data-changed]")) ||
    drafted().some(isDirty);

  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => {
      const form = event.target.closest?.("form[data-draft]");
      if (form && event.target !== form) keep(form);
    });
  }

  /* A form that is sent is on its way to be saved; any other leaves what is unsaved behind. */
  document.addEventListener("submit", (event) => {
    const form = event.target;
    isSending = form.matches("[data-draft], [data-settings]") || Boolean(form.closest(".sb-review"));
    if (form.matches("[data-draft]:not([hx-post])")) write(form, {});
    if (form.getAttribute("action")?.endsWith("/account/logout/")) {
      for (const storage of [sessionStorage, localStorage]) remove(storage, () => true);
    }
  });

  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const form = event.detail.elt.closest?.("form[data-draft]");
    const goesTo = event.detail.xhr.getResponseHeader("HX-Redirect");
    if (!goesTo) isSending = false;
    else if (form && !goesTo.startsWith("/account/")) write(form, {});
  });
  for (const name of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(name, () => { isSending = false; });

  document.addEventListener("htmx:confirm", (event) => {
    const leaves = event.detail.elt.matches(".nav-underline a, [data-settings-discard]");
    if (!leaves || !unsaved()) return;
    event.preventDefault();
    if (window.confirm(switchboard.say("leave"))) event.detail.issueRequest(true);
  });

  window.addEventListener("beforeunload", (event) => {
    if (!isSending && unsaved()) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-draft-discard]")) return;
    for (const form of drafted()) write(form, {});
    isSending = true;
    location.reload();
  });

  function prepare(form) {
    for (const picker of pickers(form)) picker.dataset.were ??= picked(picker);
  }

  document.addEventListener("DOMContentLoaded", async () => {
    for (const form of drafted()) {
      prepare(form);
      await adopt(form);
      if (giveBack(form)) tell(form);
    }
  });
  /* A refused form comes back with what was sent: what was hidden then was not. */
  document.addEventListener("htmx:afterSettle", (event) => {
    for (const form of event.target.querySelectorAll?.("form[data-draft]") ?? []) {
      prepare(form);
      giveBack(form, (control) => control.closest("[data-shown-with][hidden]"));
    }
  });
})();
