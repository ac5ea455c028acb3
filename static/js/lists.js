/* Lists by mouse (keys.js has the keys), and values that are copied with one press. */
(() => {
  /* The whole row leads where its link leads; text can still be selected. */
  function rowLink(event) {
    if (event.target.closest("a, button, input, select, label, summary")) return null;
    return event.target.closest("tr")?.querySelector("a.row-link");
  }

  document.addEventListener("click", (event) => {
    const link = rowLink(event);
    if (!link || String(getSelection())) return;
    if (event.ctrlKey || event.metaKey) window.open(link.href, "_blank", "noopener");
    else link.click();
  });

  document.addEventListener("auxclick", (event) => {
    const link = event.button === 1 && rowLink(event);
    if (link) window.open(link.href, "_blank", "noopener");
  });

  /* What is cut is read in its title. */
  document.addEventListener("mouseover", (event) => {
    const cut = event.target.closest(".text-truncate, .sb-table td, .sb-facts span, .home-what > *");
    if (cut && !cut.title && cut.scrollWidth > cut.clientWidth) cut.title = cut.innerText.trim();
  });

  /* Addresses of filtered lists name only what is set. */
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.verb !== "get") return;
    const { formData } = event.detail;
    for (const [name, value] of [...formData.entries()]) if (value === "") formData.delete(name);
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch {
      switchboard.complain(switchboard.say("no-copy"));
      return;
    }
    button.classList.add("is-copied");
    switchboard.announce(switchboard.say("copied"));
    setTimeout(() => button.classList.remove("is-copied"), 1500);
  });

  /* A list that was read anew replaces itself, but not while something is open in it. */
  let isOld = false;

  document.addEventListener("htmx:beforeRequest", (event) => {
    const cause = event.detail.requestConfig?.triggeringEvent;
    if (cause?.type !== "mirror-refreshed" || !document.querySelector("#results :popover-open")) return;
    event.preventDefault();
    isOld = true;
  });

  document.addEventListener("toggle", (event) => {
    if (!isOld || event.newState !== "closed") return;
    isOld = false;
    htmx.trigger(document.body, "mirror-refreshed");
  }, true);
})();

/* The whole text of a cell that is cut off, for a pointer that rests on it. */
document.addEventListener("pointerover", ({ target }) => {
  const cell = target.closest?.(".sb-table td");
  if (cell && !cell.title && cell.scrollWidth > cell.clientWidth && !cell.querySelector("[title]")) {
    cell.title = cell.innerText;
  }
});
