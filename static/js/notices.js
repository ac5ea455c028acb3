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
      line.textContent = switchboard.say("request", { id: requestId });
      toast.querySelector("[data-toast-text]").append(line);
    }
    toasts().append(toast);
  }

  function announce(text) {
    const region = document.getElementById("announce");
    region.textContent = "";
    requestAnimationFrame(() => { region.textContent = text; });
  }

  /* What only asks may have to be sent as a form, and says so by `data-reads`. */
  const wrote = (event) =>
    event.detail.requestConfig?.verb !== "get" && !event.detail.elt?.closest("[data-reads]");

  function unanswered(event) {
    complain(`${switchboard.say("unanswered")} ${switchboard.say(wrote(event) ? "maybe-done" : "then-again")}`);
  }

  /* A refusal comes before anything is done; what failed on the way may have reached the service. */
  function outcome(event) {
    if (!wrote(event)) return switchboard.say("not-updated");
    return switchboard.say(event.detail.xhr.status < 500 ? "unchanged" : "maybe-done");
  }

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.xhr.getResponseHeader("HX-Fault")) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });

  document.addEventListener("htmx:responseError", (event) => {
    const { xhr } = event.detail;
    complain(`${switchboard.say("error", { status: String(xhr.status) })} ${outcome(event)}`,
      xhr.getResponseHeader("X-Request-ID"));
  });

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    complain(switchboard.say("no-key"));
  });

  document.addEventListener("htmx:sendError", unanswered);
  document.addEventListener("htmx:timeout", unanswered);
  document.addEventListener("htmx:swapError", () => complain(switchboard.say("unshown")));

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
