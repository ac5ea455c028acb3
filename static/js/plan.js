/* Planning: folds say what is set in them, the end of the form what is still missing. The host's time zone is taken in place, and by itself while neither it nor a start was
   typed. Without scripts the button sends the form. */
(() => {
  function take(button) {
    const field = document.getElementById("plan").elements[button.dataset.takes];
    field.value = button.value;
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
    return field;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-takes]");
    if (!button) return;
    event.preventDefault();
    take(button).focus();
  });

  let isPicked = false; // a host, since the last preview
  document.addEventListener("change", ({ target }) => {
    if (target.name === "host" && target.form?.id === "plan") isPicked = true;
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "preview" || !isPicked) return;
    isPicked = false;
    const button = event.target.querySelector("[data-takes=timezone]");
    if (!button) return;
    const { elements } = document.getElementById("plan");
    const isTyped = [elements.start_time, elements[button.dataset.takes]].some(switchboard.isChanged);
    if (isTyped || elements[button.dataset.takes] === document.activeElement) return;
    elements.start_time.value = button.dataset.start;
    take(button);
    switchboard.announce(button.dataset.taken);
  });

  const labelOf = (box) => {
    const label = (box.querySelector("legend, label")?.cloneNode(true)) ?? document.createElement("p");
    label.querySelectorAll("small, .badge").forEach((mark) => mark.remove());
    return label.textContent.trim();
  };

  /* In words, empty for what is left as the host has it. */
  function valueOf(box) {
    const picked = [...box.querySelectorAll("[data-picked] > li [data-name]")].map((one) => one.dataset.name);
    if (picked.length) return picked.join(", ");
    const control = box.querySelector("input:not([type=hidden], [type=search]), select, textarea");
    if (!control) return "";
    if (control.matches("[type=checkbox]")) return control.checked ? true : "";
    if (control.type === "password") return control.value && true;
    if (control.matches("select")) return control.value && control.selectedOptions[0].textContent.trim();
    if (control.matches("[type=radio]")) return "";
    return control.value.trim();
  }

  function sum() {
    const form = document.getElementById("plan");
    if (!form) return;
    for (const fold of form.querySelectorAll(".plan-fold")) {
      const set = [...fold.querySelectorAll("[data-field]")].map((box) => [labelOf(box), valueOf(box)]).filter(([, value]) => value);
      fold.querySelector("[data-set-here]").textContent = set.map(([label, value]) => (value === true ? label : `${label}: ${value}`)).join(", ");
    }
    const line = form.querySelector("[data-missing]");
    const needed = [...form.querySelectorAll("[data-field]:has(.sb-mark[data-required])")].filter((box) => box.checkVisibility() || box.closest("details"));
    const missing = needed.filter((box) => !valueOf(box)).map(labelOf);
    if (line) line.textContent = missing.length ? line.dataset.words.replace("{fields}", missing.join(", ")) : "";
  }

  for (const kind of ["input", "change"]) document.addEventListener(kind, (event) => event.target.closest?.("#plan") && sum());
  document.addEventListener("DOMContentLoaded", sum);
  document.addEventListener("htmx:afterSettle", (event) => event.target.id !== "preview" && sum());
})();
