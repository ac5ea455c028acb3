/* [data-chart]: what draws charts is loaded by the first page, or part of one, that has a chart. */
(() => {
  let isAsked = false;

  function load() {
    const figure = document.querySelector("[data-chart]");
    if (!figure || isAsked) return;
    isAsked = true;
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = figure.dataset.style;
    const script = document.createElement("script");
    script.src = figure.dataset.script;
    // Side by side: a style sheet that is slow or missing must not keep the charts from being drawn.
    document.head.append(style, script);
  }

  document.addEventListener("DOMContentLoaded", load);
  document.addEventListener("htmx:afterSettle", load);
})();
