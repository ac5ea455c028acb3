/* [data-chart]: what draws charts is loaded once one of them is near, or a key is pressed: a chart is
   a stop of the keyboard. */
(() => {
  let isAsked = false;
  const figures = () => document.querySelectorAll("[data-chart]");

  function load() {
    const [figure] = figures();
    if (!figure || isAsked) return;
    isAsked = true;
    near.disconnect();
    const script = document.createElement("script");
    script.src = figure.dataset.script;
    document.head.append(script);
  }

  const near = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && load(), {
    rootMargin: "100px",
  });

  const watch = () => isAsked || figures().forEach((figure) => near.observe(figure));

  document.addEventListener("DOMContentLoaded", watch);
  document.addEventListener("htmx:afterSettle", watch);
  document.addEventListener("keydown", load);
})();
