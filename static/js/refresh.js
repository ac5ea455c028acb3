/* [data-refresh]: a part of the page that is asked for anew once its figures are as old as chosen;
   not while it is paused or hidden, and at once when it is shown again. An answer says how old its
   figures are, and when there may be newer ones: one clock, that of what reads them. An unchanged
   answer is a 304. */
(() => {
  const chosen = "refresh-every";
  let every = 10;
  let isPaused = false;
  const spread = 1200; // ms over which many viewers spread
  let pictured = Date.now(); // the time of the figures
  let next = 0; // when there may be newer ones

  const part = () => document.querySelector("[data-refresh]");
  const rests = () => isPaused || every === 0;
  const each = (name, act) => document.querySelectorAll(`[data-refresh-${name}]`).forEach(act);

  /* The state of the service is one: what the bar says is what the dot shows. */
  const barDot = () => document.querySelector(".sb-switcher > .sb-health .status-dot");
  const colourOf = (dot) => [...(dot?.classList ?? [])].find((name) => /^status-(?!dot)/.test(name));

  function show() {
    const known = colourOf(barDot());
    const isWell = !known || ["status-success", "status-green", "status-secondary"].includes(known);
    const isOld = !rests() && Date.now() - pictured > (Math.max(every, Number(part()?.dataset.refreshPace ?? 0)) + 5) * 1000;
    each("dot", (dot) => {
      dot.className = "status-dot";
      if (rests()) return;
      dot.classList.add(!isWell ? known : isOld ? "status-warning" : "status-green");
      dot.classList.toggle("status-dot-animated", isWell && !isOld);
    });
    each("old", (words) => (words.hidden = !isOld));
    each("paused", (words) => (words.hidden = !rests()));
    each("word", (word) => (word.textContent = isPaused ? word.dataset.wordsResume : word.dataset.wordsPause));
    each("pause", (button) => (button.disabled = every === 0));
  }

  function told(age, wait) {
    const now = Date.now();
    pictured = now - age * 1000;
    next = now + wait * 1000 + Math.random() * Math.min(spread, wait * 500);
  }

  function ask() {
    next = Date.now() + 2000; // unless it is answered
    htmx.trigger(part(), "live");
  }

  setInterval(() => {
    if (!part() || document.hidden || rests()) return;
    if (Date.now() - pictured > every * 1000) show();
    const least = part().hasAttribute("data-refresh-soon") ? 1 : every;
    if (Date.now() >= Math.max(next, pictured + least * 1000)) ask();
  }, 200);

  document.addEventListener("DOMContentLoaded", () => {
    if (!part()) return;
    const shown = document.querySelector("[data-refresh-age]")?.dataset;
    if (shown) told(Number(shown.refreshAge), Number(shown.refreshNext));
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
    const [age, wait] = ["Age", "Next"].map((name) => Number(xhr.getResponseHeader(`Switchboard-${name}`)));
    if (asOf !== null && xhr.status) told(age, wait);
    else if (elt.matches("[data-refresh]")) next = Date.now() + every * 1000;
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
