/* The open tab is in sight where there are more tabs than fit, the open page where the navigation
   is longer than the window. */
(() => {
  function show(root) {
    for (const tab of root.querySelectorAll(".nav-underline [aria-current]")) {
      const row = tab.closest(".nav-underline");
      const beyond = tab.getBoundingClientRect().right - row.getBoundingClientRect().right;
      if (beyond > 0) row.scrollLeft += beyond + 24;
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    show(document);
    document.querySelector(".sb-nav .active")?.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("htmx:afterSettle", (event) => show(event.detail.elt));
})();
