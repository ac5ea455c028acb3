/* Toasts, what screen readers hear, and requests that failed: nothing fails in silence. */
(() => {
  const leavesAfter = 8000;

  const toasts = () => document.getElementById("toasts");

  function settle(toast) {
    if (toast.dataset.settled) return;
    toast.dataset.settled = "true";
    if (!["good", "neutral"].includes(toast.dataset.toast)) return;
    let timer;
    const wait = () => { timer = setTimeout(() => toast.remove(), leavesAfter); };
    toast.addEventListener("mouseenter", () => clearTimeout(timer));
    toast.addEventListener("focusin", () => clearTimeout(timer));
    toast.addEventListener("mouseleave", wait);
    wait();
  }

  function complain(text, requestId) {
    if ([...toasts().querySelectorAll("p")].some((line) => line.textContent === text)) return;
    const toast = document.getElementById("toast-template").content.firstElementChild.cloneNode(true);
    toast.querySelector("p").textContent = text;
    if (requestId) {
      const line = document.createElement("p");
      line.className = "text-secondary small mt-2 mb-0";
      line.textContent = `Request ID ${requestId}`;
      toast.querySelector("[data-toast-text]").append(line);
    }
    toasts().append(toast);
  }

  function announce(text) {
    const region = document.getElementById("announce");
    region.textContent = "";
    requestAnimationFrame(() => { region.textContent = text; });
  }

  const maybeDone = "The change may have been made. Check before you try again.";

  /* What only asks may have to be sent as a form, and says so by `data-reads`. */
  const wrote = (event) =>
    event.detail.requestConfig?.verb !== "get" && !event.detail.elt?.closest("[data-reads]");

  function unanswered(event) {
    complain(`Switchboard did not respond. Check your network. ${wrote(event) ? maybeDone : "Then try again."}`);
  }

  /* A refusal comes before anything is done; what failed on the way may have reached the service. */
  function outcome(event) {
    if (!wrote(event)) return "This page was not updated. Try again.";
    return event.detail.xhr.status < 500 ? "Nothing was changed." : maybeDone;
  }

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.xhr.getResponseHeader("HX-Fault")) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });

  document.addEventListener("htmx:responseError", (event) => {
    const { xhr } = event.detail;
    complain(`Switchboard returned an error (${xhr.status}). ${outcome(event)}`,
      xhr.getResponseHeader("X-Request-ID"));
  });

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    complain("The key did not respond, or you cancelled. Nothing was changed.");
  });

  document.addEventListener("htmx:sendError", unanswered);
  document.addEventListener("htmx:timeout", unanswered);
  document.addEventListener("htmx:swapError", () => complain("The response could not be shown. Reload the page."));

  document.addEventListener("htmx:afterSettle", (event) => {
    const said = event.target.querySelector?.("[data-announce]");
    if (said) announce(said.textContent.trim().replace(/\s+/g, " "));
  });

  document.addEventListener("click", (event) => {
    event.target.closest("[data-dismiss]")?.closest("[data-toast]").remove();
  });

  document.addEventListener("DOMContentLoaded", () => {
    for (const toast of toasts().children) settle(toast);
    new MutationObserver((changes) => {
      for (const change of changes) {
        for (const node of change.addedNodes) if (node.dataset?.toast) settle(node);
      }
    }).observe(toasts(), { childList: true });
  });

  window.switchboard = Object.assign(window.switchboard ?? {}, { complain, announce });
})();
