/* Forms are sent once, and say what is wrong with a field when it is left. */
(() => {
  function busy(form, is) {
    form.toggleAttribute("data-sending", is);
    for (const button of form.querySelectorAll("[type=submit]")) {
      if (is) button.setAttribute("aria-busy", "true");
      else button.removeAttribute("aria-busy");
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    if (form.hasAttribute("data-sending")) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    // The pressed button's value is read first.
    setTimeout(() => busy(form, true));
    form.setAttribute("data-sending", "");
  }, true);

  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt.closest?.("form");
    const leaves = event.detail.xhr?.getResponseHeader("HX-Redirect");
    if (form && !leaves) setTimeout(() => busy(form, false));
  });

  window.addEventListener("pageshow", (event) => {
    if (event.persisted && document.querySelector("[data-never-shown-again]")) location.reload();
    for (const form of document.querySelectorAll("form[data-sending]")) busy(form, false);
  });

  function problem(field) {
    const { validity } = field;
    if (validity.valid) return "";
    if (validity.customError) return field.validationMessage;
    if (validity.valueMissing) return switchboard.say("required");
    if (validity.badInput) return switchboard.say("whole");
    if (validity.tooShort) return switchboard.say("short", { least: field.minLength });
    if (validity.rangeUnderflow) return switchboard.say("least", { least: field.min });
    if (validity.rangeOverflow) return switchboard.say("most", { most: field.max });
    return field.title || switchboard.say("format");
  }

  function tell(field, text) {
    const box = field.closest("[data-field]");
    const id = `${field.id}_error`;
    let list = document.getElementById(id);
    box.classList.toggle("is-wrong", Boolean(text));
    field.classList.toggle("is-invalid", Boolean(text));
    const described = new Set((field.getAttribute("aria-describedby") || "").split(" ").filter(Boolean));
    if (!text) {
      list?.remove();
      described.delete(id);
      field.removeAttribute("aria-invalid");
    } else {
      if (!list) {
        list = Object.assign(document.createElement("ul"), { className: "errorlist", id });
        box.append(list);
      }
      const item = document.createElement("li");
      item.textContent = text;
      list.replaceChildren(item);
      described.add(id);
      field.setAttribute("aria-invalid", "true");
    }
    if (described.size) field.setAttribute("aria-describedby", [...described].join(" "));
    else field.removeAttribute("aria-describedby");
  }

  const isTyped = (element) =>
    element.matches?.("[data-field] :is(input:not([type=radio], [type=checkbox], [type=hidden]), select, textarea)");

  /* Pressing a button leaves a field; what is wrong with that one is said after the release, or the
     button would move away under the pointer and never be clicked. */
  let isPressed = false;
  const left = new Set();

  function released() {
    isPressed = false;
    // The click comes right after the release.
    setTimeout(() => {
      for (const field of left) if (field.isConnected) tell(field, problem(field));
      left.clear();
    });
  }

  document.addEventListener("pointerdown", () => { isPressed = true; }, true);
  for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, released, true);
  window.addEventListener("blur", released);

  document.addEventListener("change", (event) => {
    const field = event.target;
    if (!isTyped(field)) return;
    if (isPressed) left.add(field);
    else tell(field, problem(field));
  });

  document.addEventListener("input", (event) => {
    const field = event.target;
    if (isTyped(field) && field.matches(".is-invalid") && field.validity.valid) tell(field, "");
  });

  document.addEventListener("click", (event) => {
    const reveal = event.target.closest("[data-reveal]");
    if (!reveal) return;
    const field = document.getElementById(reveal.dataset.reveal);
    const shows = field.type === "password";
    field.type = shows ? "text" : "password";
    reveal.setAttribute("aria-pressed", String(shows));
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-summary] a[href^='#']");
    if (!link) return;
    const target = document.getElementById(link.hash.slice(1));
    if (!target) return;
    event.preventDefault();
    target.closest("details")?.setAttribute("open", "");
    const field = target.matches("input, select, textarea") ? target : target.querySelector("input");
    field?.focus();
  });

  /* Enter in one of many fields is no wish to send them all; where there are few, it is. A button
     sends, and so does Enter with Ctrl from any field. */
  const fewFields = 4;
  const isLong = (form) => form.method === "post" && form.querySelectorAll("[data-field]").length > fewFields;

  document.addEventListener("keydown", (event) => {
    const form = event.target.form ?? event.target.closest("form");
    if (event.key !== "Enter" || event.isComposing || form?.method !== "post") return;
    const isField = event.target.matches("input:not([type=submit], [type=button], [type=reset], [type=image], [type=file])");
    const sends = event.ctrlKey || event.metaKey;
    if (!sends && !(isField && isLong(form))) return;
    if (event.target.matches("button, a, summary")) return;
    event.preventDefault();
    if (sends && !form.querySelector(".btn-danger[type=submit]:disabled")) form.requestSubmit();
  });

  function prepare(root) {
    // Server and script say what is wrong, in the house's words instead of the browser's.
    for (const form of root.querySelectorAll("form[method=post]")) {
      form.noValidate = true;
      form.toggleAttribute("data-long", isLong(form));
    }
  }

  /* A field that is kept, so that what was typed stays, is marked as the new one in its place is. */
  function marked(root) {
    for (const field of root.querySelectorAll("[hx-preserve]")) {
      const error = document.getElementById(`${field.id}_error`);
      if (error) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
      field.classList.toggle("is-invalid", Boolean(error));
      const others = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== `${field.id}_error`);
      const described = error ? [...others, error.id] : others;
      if (described.length) field.setAttribute("aria-describedby", described.join(" "));
    }
  }

  queueMicrotask(() => prepare(document));
  document.addEventListener("htmx:afterSettle", (event) => {
    prepare(document);
    marked(event.target);
  });
})();
