/* [data-refresh]: a part of the page that asks every so many seconds, as chosen; not while it is
   paused or hidden, and at once when it is shown again. An unchanged answer is a 304. */
(() => {
  const chosen = "refresh-every";
  let every = 10;
  let isPaused = false;
  let asked = Date.now();

  const part = () => document.querySelector("[data-refresh]");
  const rests = () => isPaused || every === 0;
  const each = (name, act) => document.querySelectorAll(`[data-refresh-${name}]`).forEach(act);

  /* The state of the service is one: what the bar says is what the dot shows. */
  const barDot = () => document.querySelector(".sb-switcher > .sb-health .status-dot");
  const colourOf = (dot) => [...(dot?.classList ?? [])].find((name) => /^status-(?!dot)/.test(name));

  function show() {
    const known = colourOf(barDot());
    const isWell = !known || ["status-success", "status-green", "status-secondary"].includes(known);
    each("dot", (dot) => {
      dot.className = "status-dot";
      if (rests()) return;
      dot.classList.add(isWell ? "status-green" : known);
      dot.classList.toggle("status-dot-animated", isWell);
    });
    each("paused", (words) => (words.hidden = !rests()));
    each("word", (word) => (word.textContent = isPaused ? word.dataset.wordsResume : word.dataset.wordsPause));
    each("pause", (button) => (button.disabled = every === 0));
  }

  function ask() {
    asked = Date.now();
    htmx.trigger(part(), "live");
  }

  setInterval(() => {
    if (!part() || document.hidden || rests()) return;
    const wait = part().hasAttribute("data-refresh-soon") ? 1 : every;
    if (Date.now() - asked >= wait * 1000) ask();
  }, 500);

  document.addEventListener("DOMContentLoaded", () => {
    if (!part()) return;
    const select = document.querySelector("[data-refresh-every]");
    if (select) {
      select.value = localStorage.getItem(chosen) ?? "10";
      every = Number(select.value);
    }
    show();
  });

  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-refresh-every]")) return;
    every = Number(event.target.value);
    localStorage.setItem(chosen, event.target.value);
    show();
  });

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-refresh-pause]")) return;
    isPaused = !isPaused;
    show();
    if (!isPaused) ask();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open], :popover-open")) return;
    document.querySelector("[data-refresh-close]")?.click();
  });

  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, headers } = event.detail;
    if (elt.matches("[data-refresh]")) headers["If-None-Match"] = elt.dataset.etag;
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    const isOwn = event.detail.elt.matches("[data-refresh], [data-refresh-beside]");
    if (isOwn && (rests() || document.hidden)) event.preventDefault();
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.xhr.status !== 304) return;
    event.detail.shouldSwap = false;
    event.detail.isError = false;
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = event.detail;
    const asOf = xhr.getResponseHeader("Switchboard-As-Of");
    if (asOf) document.querySelectorAll("[data-as-of]").forEach((time) => (time.textContent = asOf));
    const health = xhr.getResponseHeader("Switchboard-Health");
    if (health && barDot()) {
      const [colour, ...words] = decodeURIComponent(health).split(" ");
      const shown = barDot().parentElement;
      barDot().className = `status-dot status-${colour}`;
      shown.lastChild.textContent = shown.title = words.join(" ");
      show();
    }
    if (elt.matches("[data-refresh]")) each("lost", (words) => (words.hidden = xhr.status > 0 && xhr.status < 400));
    const { refreshFocus } = (event.detail.requestConfig?.elt ?? elt).dataset; // a closed panel is gone
    if (refreshFocus) document.getElementById(refreshFocus)?.focus();
  });
})();
