/* [data-shown-with="action=delete"]: fields that go with a choice, and are sent only with it.
   Several values stand with commas; a box within one that is hidden is hidden too. */
(() => {
  function isChosen(form, name, values) {
    return [...form.querySelectorAll(`[name="${name}"]`)].some((control) => {
      const isOn = control.matches("[type=radio], [type=checkbox]") ? control.checked : true;
      return isOn && values.includes(control.value);
    });
  }

  /* Nobody removes anything by a button whose way was not chosen yet. */
  const isUndecided = (form) =>
    Boolean(form.querySelector("[type=radio]:required:invalid"));

  function follow(form) {
    for (const box of form.querySelectorAll("[data-shown-with]")) {
      const [name, values] = box.dataset.shownWith.split("=");
      const isWithin = box.parentElement.closest("[data-shown-with][hidden]");
      const isMeant = !isWithin && isChosen(form, name, values.split(","));
      box.hidden = !isMeant;
      for (const control of box.querySelectorAll("input, select, textarea")) control.disabled = !isMeant;
    }
    for (const button of form.querySelectorAll(".btn-danger[type=submit]")) {
      button.disabled = isUndecided(form);
    }
  }

  const prepare = () => {
    for (const form of document.querySelectorAll("form:has([data-shown-with])")) follow(form);
  };

  document.addEventListener("change", (event) => {
    const form = event.target.closest("form");
    if (form) follow(form);
  });
  queueMicrotask(prepare);
  document.addEventListener("htmx:afterSettle", prepare);
  addEventListener("pageshow", prepare); // browsers give back what was chosen before
})();
