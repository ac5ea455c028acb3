/* Planning: the server tells times on the viewer's clock, whose zone only the browser knows. */
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

  /* A new form without a host begins where the person is: at the next full hour. */
  function guess(field) {
    if (!zone || field.value !== "UTC") return;
    const start = document.getElementById(field.dataset.guessZone);
    const hour = new Date(Date.now() + 3600000);
    const two = (number) => String(number).padStart(2, "0");
    const day = `${hour.getFullYear()}-${two(hour.getMonth() + 1)}-${two(hour.getDate())}`;
    if (start) start.value = `${day}T${two(hour.getHours())}:00`;
    field.value = zone;
    delete field.dataset.guessZone;
  }

  function tell() {
    for (const field of document.querySelectorAll("[data-viewer-zone]")) field.value = zone;
    document.querySelectorAll("[data-guess-zone]").forEach(guess);
  }

  document.addEventListener("htmx:configRequest", (event) => {
    if ("viewer_zone" in event.detail.parameters) event.detail.parameters.viewer_zone = zone;
  });
  /* Who is picked stays, the rest of what was found goes. */
  document.addEventListener("change", (event) => {
    const picker = event.target.matches("[type=radio]") && event.target.closest("[data-picker]");
    if (!picker) return;
    for (const pick of picker.querySelectorAll(".sb-pick input:not(:checked)")) pick.closest("li").remove();
    for (const list of picker.querySelectorAll(".sb-picks")) if (!list.children.length) list.remove();
    picker.querySelector("[type=search]").value = "";
  });

  document.addEventListener("DOMContentLoaded", tell);
  document.addEventListener("htmx:afterSettle", tell);
})();
