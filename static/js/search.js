/* The search over everything, in a dialog. Without scripts its button leads to a page. */
(() => {
  const dialog = () => document.getElementById("search");
  const input = () => dialog().querySelector("input[name=q]");
  const options = () => [...dialog().querySelectorAll("[role=option]")];
  const chosen = () => dialog().querySelector("[role=option][aria-selected=true]");

  const choose = (option) => {
    options().forEach((one) => one.setAttribute("aria-selected", String(one === option)));
    input().setAttribute("aria-expanded", String(options().length > 0));
    if (!option) return input().removeAttribute("aria-activedescendant");
    input().setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  };

  const open = () => {
    if (!dialog() || document.querySelector("dialog[open]")) return;
    dialog().showModal();
    input().select();
    htmx.trigger(input(), "sb:search");
  };

  const step = (by) => {
    const all = options();
    if (!all.length) return;
    const at = all.indexOf(chosen());
    choose(all[(at + by + all.length) % all.length]);
  };

  document.addEventListener("keydown", (event) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isShortcut && event.key.toLowerCase() === "k" && dialog()) {
      event.preventDefault();
      if (dialog().open) dialog().close();
      else open();
      return;
    }
    if (event.target !== dialog()?.querySelector("input[name=q]") || event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape") {
      // A search field would only be emptied.
      event.preventDefault();
      dialog().close();
    } else if (event.key === "Enter" && chosen() && !input().classList.contains("htmx-request")) {
      event.preventDefault();
      chosen().click();
    }
  });

  document.addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("[data-search]")) {
      event.preventDefault();
      open();
    } else if (event.target === dialog() || event.target.closest("[data-search-close]")) {
      dialog().close();
    }
  });

  document.addEventListener("mouseover", (event) => {
    const option = event.target.closest("#search [role=option]");
    if (option) choose(option);
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id === "search-hits") choose(options()[0]);
  });
})();
