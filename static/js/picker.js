/* Pickers are comboboxes (WAI-ARIA): the search is the field, what it finds a list under it. Arrows,
   Home and End move in the list, Enter picks, Escape closes, Tab goes on; what is found and picked
   is said. Without scripts the list has check boxes, and a button searches. */
(() => {
  const pickers = new WeakMap();

  const inputOf = (picker) => picker.querySelector("[type=search]");
  const foundOf = (picker) => picker.querySelector("[data-found]");
  const boxOf = (entry) => entry.querySelector("input");
  const nameOf = (entry) => entry.querySelector("[data-name]").dataset.name;
  const options = (picker) => [...picker.querySelectorAll("[role=option]")];
  const active = (picker) => picker.querySelector("[role=option][aria-selected=true]");

  /* What is only offered is not sent, and is no stop of the keyboard. */
  function offer(picker) {
    const found = foundOf(picker);
    const list = found.querySelector("ul");
    const input = inputOf(picker);
    pickers.get(picker)?.destroy();
    list.id = `${found.id}-list`;
    list.setAttribute("role", "listbox");
    [...list.children].forEach((entry, at) => {
      entry.id = `${list.id}-${at}`;
      entry.setAttribute("role", "option");
      boxOf(entry).disabled = boxOf(entry).hidden = true;
    });
    pickers.set(picker, new Combobox(input, list, { tabInsertsSuggestions: false }));
    close(picker);
  }

  /* What was searched for begins with the first of it; what is only offered with none. */
  function open(picker, first = inputOf(picker).value.trim() ? "selected" : "none") {
    const combobox = pickers.get(picker);
    foundOf(picker).hidden = false;
    if (!options(picker).length) return;
    combobox.firstOptionSelectionMode = first;
    combobox.start();
  }

  function close(picker) {
    pickers.get(picker).stop();
    foundOf(picker).hidden = true;
  }

  const isOpen = (picker) => inputOf(picker).getAttribute("aria-expanded") === "true";

  function check(picker) {
    const input = inputOf(picker);
    input.setCustomValidity(input.value.trim() ? switchboard.say("unpicked") : "");
  }

  /* A picked entry is a check box, or a radio button, like any other. */
  function put(picker, entry) {
    const picked = picker.querySelector("[data-picked]");
    const box = boxOf(entry);
    for (const name of ["role", "id", "aria-selected"]) entry.removeAttribute(name);
    box.disabled = box.hidden = false;
    box.checked = true;
    if (picker.matches("[data-several]")) picked.append(entry);
    else picked.replaceChildren(entry);
  }

  /* What took another's place says so; below it may stand where both can be picked. */
  function replaced(picker, before, name) {
    picker.querySelector("[data-replaced]")?.remove();
    if (!before || before === name) return "";
    const words = Object.assign(document.createElement("p"), { className: "form-hint mb-0 mt-1", textContent: switchboard.say("replaced", { name, before }) });
    words.dataset.replaced = "";
    foundOf(picker).before(words);
    picker.closest("form").querySelector(`[data-more-of="${CSS.escape(picker.dataset.picks)}"]`)?.setAttribute("open", "");
    return words.textContent;
  }

  function pick(picker, entry) {
    const input = inputOf(picker);
    const single = picker.matches("[data-several]") ? null : picker.querySelector("[data-picked] > li");
    const before = single && nameOf(single);
    put(picker, entry);
    foundOf(picker).querySelector("ul").replaceChildren();
    input.value = "";
    close(picker);
    check(picker);
    switchboard.announce(replaced(picker, before, nameOf(entry)) || switchboard.say("picked", { name: nameOf(entry) }));
    for (const kind of ["input", "change"]) {
      boxOf(entry).dispatchEvent(new Event(kind, { bubbles: true }));
      input.dispatchEvent(new Event(kind, { bubbles: true }));
    }
  }

  function heard(picker) {
    const nothing = picker.querySelector("[data-nothing]");
    const count = options(picker).length;
    if (nothing) switchboard.announce(nothing.textContent);
    else if (count) switchboard.announce(switchboard.say("found", { count }));
  }

  function key(event, picker) {
    const entry = isOpen(picker) && active(picker);
    if (event.key === "Enter" && !entry) {
      event.preventDefault();
      if (event.target.value.trim()) htmx.trigger(event.target, "sb:search");
    } else if (event.key === "Escape" && !foundOf(picker).hidden) {
      event.preventDefault();
      event.stopPropagation();
      close(picker);
    } else if ((event.key === "Home" || event.key === "End") && entry) {
      event.preventDefault();
      event.stopPropagation();
      const combobox = pickers.get(picker);
      combobox.clearSelection();
      combobox.navigate(event.key === "Home" ? 1 : -1);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !isOpen(picker)) {
      open(picker, "none");
    }
  }

  /* A picker that has just come and is not prepared yet is a plain field. */
  function searched(event) {
    const picker = event.target.matches?.("[data-picker] [type=search]") && event.target.closest("[data-picker]");
    return pickers.has(picker) && picker;
  }

  document.addEventListener("keydown", (event) => {
    const picker = searched(event);
    if (picker && !event.isComposing) key(event, picker);
  }, true);

  document.addEventListener("input", (event) => {
    const picker = searched(event);
    if (!picker) return;
    check(picker);
    if (!event.target.value.trim()) close(picker);
  });

  document.addEventListener("focusin", (event) => {
    const picker = searched(event);
    if (picker && options(picker).length) open(picker);
  });
  document.addEventListener("focusout", (event) => {
    const picker = searched(event);
    if (picker) close(picker);
  });

  /* The cursor stays in the field while the list is clicked. */
  document.addEventListener("mousedown", (event) => {
    if (event.target.closest("[data-picker] [role=option]")) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-picker] [role=option]")) event.preventDefault();
    const picker = searched(event);
    if (picker && !isOpen(picker) && options(picker).length) open(picker);
  }, true);
  document.addEventListener("combobox-commit", (event) => {
    const picker = event.target.closest("[data-picker]");
    if (picker) pick(picker, event.target);
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    const picker = event.target.matches?.("[data-found]") && event.target.closest("[data-picker]");
    if (!picker) return;
    offer(picker);
    if (document.activeElement === inputOf(picker)) open(picker);
    heard(picker);
  });

  function prepare(root) {
    for (const picker of root.querySelectorAll("[data-picker]")) {
      if (pickers.has(picker)) continue;
      offer(picker);
      if (document.activeElement === inputOf(picker) && options(picker).length) open(picker);
    }
  }

  queueMicrotask(() => prepare(document));
  document.addEventListener("htmx:afterSettle", () => prepare(document));
})();
