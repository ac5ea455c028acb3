/* Links with data-dialog open their page in the one dialog; without scripts they are plain links. */
(() => {
  const dialog = () => document.getElementById("dialog");
  const body = () => document.getElementById("dialog-body");
  const isPlainClick = (event) =>
    event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  const isTypedIn = () =>
    [...body().querySelectorAll("input:not([type=hidden]), textarea")].some(
      (field) => field.value !== field.defaultValue,
    );

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-dialog]");
    if (link && isPlainClick(event)) {
      event.preventDefault();
      link.closest("[popover]")?.hidePopover();
      htmx.ajax("GET", link.href, { target: "#dialog-body", swap: "innerHTML" });
      return;
    }
    const closer = event.target.closest("[data-close]");
    if (closer?.closest("#dialog")) {
      event.preventDefault();
      dialog().close();
    }
  });

  document.addEventListener("mousedown", (event) => {
    if (event.target === dialog() && !isTypedIn()) dialog().close();
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target !== body() || dialog().open) return;
    dialog().showModal();
    switchboard.begin(body().closest("dialog"));
  });

  document.addEventListener("DOMContentLoaded", () => {
    dialog()?.addEventListener("close", () => body().replaceChildren());
  });
})();
