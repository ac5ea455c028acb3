/* The open tab is in sight where there are more tabs than fit. */
(() => {
  function show(root) {
    for (const tab of root.querySelectorAll(".nav-underline [aria-current]")) {
      const row = tab.closest(".nav-underline");
      const beyond = tab.getBoundingClientRect().right - row.getBoundingClientRect().right;
      if (beyond > 0) row.scrollLeft += beyond + 24;
    }
  }

  document.addEventListener("DOMContentLoaded", () => show(document));
  document.addEventListener("htmx:afterSettle", (event) => show(event.detail.elt));
})();
