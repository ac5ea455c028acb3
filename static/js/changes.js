/* Long forms: found by a word, with what was changed marked and counted; rows that can be added. */
(() => {
  const fieldsOf = (form) => [...form.querySelectorAll("[data-field]")].filter((box) => !box.closest("[data-untracked]"));
  const controls = (box) => [...box.querySelectorAll("input:not([type=hidden]), select, textarea")];

  function isChanged(control) {
    if (control.matches("[type=checkbox], [type=radio]")) return control.checked !== control.defaultChecked;
    if (control.matches("select")) {
      const usual = [...control.options].find((option) => option.defaultSelected) ?? control.options[0];
      return control.value !== (usual?.value ?? "");
    }
    return control.value !== control.defaultValue;
  }

  window.switchboard = Object.assign(window.switchboard ?? {}, { isChanged });

  /* <form data-track> marks its changed fields, but for those in [data-untracked]; [data-changes] within
     it appears with their count. */
  function track(form) {
    let count = 0;
    for (const box of fieldsOf(form)) {
      const changed = controls(box).some(isChanged);
      box.toggleAttribute("data-changed", changed);
      count += changed;
    }
    const bar = form.querySelector("[data-changes]");
    if (!bar) return;
    bar.hidden = count === 0;
    bar.querySelector("[data-changes-count]").textContent = switchboard.say("changes", { count });
  }

  /* <input data-filter="#id"> shows the fields within #id that have its words. */
  function filter(input) {
    const root = document.querySelector(input.dataset.filter);
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const box of fieldsOf(root)) {
      const { textContent } = box.querySelector("[data-searched]") ?? box;
      const text = `${box.dataset.field} ${textContent}`.toLowerCase();
      box.hidden = !words.every((word) => text.includes(word));
      found += !box.hidden;
    }
    for (const group of root.querySelectorAll("[data-group]")) {
      group.hidden = !group.querySelector("[data-field]:not([hidden])");
    }
    if (words.length) for (const rare of root.querySelectorAll("details")) rare.open = true;
    for (const nothing of document.querySelectorAll("[data-no-match]")) nothing.hidden = found > 0;
    switchboard.announce(switchboard.say("settings-found", { count: found }));
  }

  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-track]");
    if (form) track(form);
    if (event.target.matches("[data-filter]")) filter(event.target);
  });

  document.addEventListener("reset", (event) => {
    if (event.target.matches("form[data-track]")) setTimeout(() => track(event.target));
  });

  function addRow(list) {
    const rows = list.querySelectorAll("[data-row]");
    if (rows.length >= Number(list.dataset.most)) return;
    const last = rows[rows.length - 1];
    const row = last.cloneNode(true);
    const name = list.dataset.rows;
    const number = Math.max(...[...rows].map((each) => Number(/\.(\d+)\.[^.]+$/.exec(controls(each)[0].name)[1])));
    for (const element of row.querySelectorAll("*")) {
      for (const attribute of ["id", "for", "name", "data-field", "aria-describedby", "data-reveal"]) {
        const value = element.getAttribute(attribute);
        if (value === null) continue;
        element.setAttribute(attribute, value
          .replaceAll(`${name}.${number}.`, `${name}.${number + 1}.`)
          .replaceAll(`${name.replaceAll(".", "-")}-${number}-`, `${name.replaceAll(".", "-")}-${number + 1}-`));
      }
    }
    last.after(row);
    empty(row);
    controls(row)[0].focus();
  }

  function empty(row) {
    for (const control of controls(row)) {
      if (control.matches("[type=checkbox], [type=radio]")) control.checked = false;
      else control.value = "";
    }
  }

  document.addEventListener("click", (event) => {
    const list = event.target.closest("[data-rows]");
    if (!list) return;
    if (event.target.closest("[data-add-row]")) addRow(list);
    const row = event.target.closest("[data-remove-row]")?.closest("[data-row]");
    if (!row) return;
    const form = row.closest("form");
    if (list.querySelectorAll("[data-row]").length > 1) row.remove();
    else empty(row);
    list.querySelector("[data-add-row]").focus();
    if (form?.matches("[data-track]")) track(form);
  });

  const prepare = (root) => root.querySelectorAll("form[data-track]").forEach(track);
  queueMicrotask(() => prepare(document));
  document.addEventListener("htmx:afterSettle", () => prepare(document));
})();
