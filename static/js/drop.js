/* A file can be dropped on what is around <input type="file" data-drop>, and is too large before it
   is sent where data-most says so. */
(() => {
  const zoneOf = (event) => event.target.closest?.("[data-drop-zone]");

  function hold(event) {
    const zone = zoneOf(event);
    for (const other of document.querySelectorAll("[data-drop-zone].is-over")) {
      if (other !== zone) other.classList.remove("is-over");
    }
    if (!zone) return;
    event.preventDefault();
    zone.classList.add("is-over");
  }

  document.addEventListener("dragenter", hold);
  document.addEventListener("dragover", hold);

  document.addEventListener("drop", (event) => {
    const zone = zoneOf(event);
    if (!zone) return;
    event.preventDefault();
    zone.classList.remove("is-over");
    const input = zone.querySelector("[data-drop]");
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    input.focus();
  });

  document.addEventListener("change", (event) => {
    const input = event.target;
    if (!input.matches?.("[data-drop]")) return;
    const file = input.files?.[0];
    const isTooLarge = file && file.size > Number(input.dataset.most);
    input.setCustomValidity(isTooLarge ? input.dataset.tooLarge : "");
  });

  document.addEventListener("submit", (event) => {
    const input = event.target.querySelector("[data-drop]");
    if (!input?.validity.customError) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    input.focus();
  }, true);
})();
