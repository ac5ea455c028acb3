/* Planning: the host's time zone is taken in place, and by itself while neither it nor a start was
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
    const button = event.target.querySelector("[data-takes]");
    if (!button) return;
    const { elements } = document.getElementById("plan");
    const isTyped = [elements.start_time, elements[button.dataset.takes]].some(switchboard.isChanged);
    if (isTyped || elements[button.dataset.takes] === document.activeElement) return;
    elements.start_time.value = button.dataset.start;
    take(button);
    switchboard.announce(button.dataset.taken);
  });
})();
