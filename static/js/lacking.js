/* Links to pages whose change the token lacks a scope for are muted, with the reason, and so are the
   buttons of their forms. They lead on: the page says it too. */
(() => {
  const PRESSED =
    "a.btn[href]:not([href^=\"#\"]), a.dropdown-item[href], button[formaction], form[method=post][action] button[type=submit]";
  const read = () => JSON.parse(document.getElementById("lacking-links")?.textContent ?? "[]");

  function mute() {
    const lacking = read().map(({ path, why }) => [new RegExp(path), why]);
    if (!lacking.length) return;
    for (const link of document.querySelectorAll(PRESSED)) {
      const address = link.getAttribute("href") ?? link.getAttribute("formaction") ?? link.form.getAttribute("action");
      const path = new URL(address, location.href).pathname;
      const found = lacking.find(([expression]) => expression.test(path));
      if (!found || link.classList.contains("sb-muted")) continue;
      link.classList.add("sb-muted");
      link.title = found[1];
      const words = document.createElement("span");
      words.className = "visually-hidden";
      words.textContent = ` (${found[1]})`;
      link.append(words);
    }
  }

  queueMicrotask(mute);
  document.addEventListener("htmx:afterSettle", mute);
})();
