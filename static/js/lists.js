/* Lists by keyboard and mouse, and values that are copied with one press. */
(() => {
  const links = () => [...document.querySelectorAll("main .row-link")];
  const isTypedInto = (element) => element.matches("input, select, textarea, [contenteditable]");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const search = document.querySelector("main input[type=search]");
    if (event.key === "/" && search && !isTypedInto(event.target)) {
      event.preventDefault();
      search.focus();
      search.select();
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const all = links();
    const row = event.target.closest("tr")?.querySelector("a.row-link");
    const at = all.indexOf(row ?? event.target);
    if (at < 0 && !(event.target === search && event.key === "ArrowDown")) return;
    const next = all[at + (event.key === "ArrowDown" ? 1 : -1)] ?? (at === 0 ? search : null);
    if (next) {
      event.preventDefault();
      next.focus();
    }
  });

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
      switchboard.complain("The browser does not allow copying. Select the text instead.");
      return;
    }
    button.classList.add("is-copied");
    switchboard.announce("Copied");
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
