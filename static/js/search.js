/* The search over everything, in a dialog. Without scripts its button leads to a page. */
(() => {
  const dialog = () => document.getElementById("search");
  const input = () => dialog().querySelector("input[name=q]");
  const options = () => [...dialog().querySelectorAll("[role=option]")];
  const chosen = () => dialog().querySelector("[role=option][aria-selected=true]");

  const choose = (option) => {
    options().forEach((one) => one.setAttribute("aria-selected", String(one === option)));
    input().setAttribute("aria-expanded", String(options().length > 0));
    if (!option) return input().removeAttribute("aria-activedescendant");
    input().setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  };

  const open = () => {
    if (!dialog() || document.querySelector("dialog[open]")) return;
    dialog().showModal();
    input().select();
    htmx.trigger(input(), "sb:search");
  };

  const step = (by) => {
    const all = options();
    if (!all.length) return;
    const at = all.indexOf(chosen());
    choose(all[(at + by + all.length) % all.length]);
  };

  document.addEventListener("keydown", (event) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isShortcut && event.key.toLowerCase() === "k" && dialog()) {
      event.preventDefault();
      if (dialog().open) dialog().close();
      else open();
      return;
    }
    if (event.target !== dialog()?.querySelector("input[name=q]") || event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape") {
      // A search field would only be emptied.
      event.preventDefault();
      dialog().close();
    } else if (event.key === "Enter" && chosen() && !input().classList.contains("htmx-request")) {
      event.preventDefault();
      chosen().click();
    }
  });

  document.addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("[data-search]")) {
      event.preventDefault();
      open();
    } else if (event.target === dialog() || event.target.closest("[data-search-close]")) {
      dialog().close();
    }
  });

  document.addEventListener("mouseover", (event) => {
    const option = event.target.closest("#search [role=option]");
    if (option) choose(option);
  });

  /* Pages of single things that this tab has shown, the last first. */
  const STORED = "switchboard.draft:recent"; // signing out removes it with the drafts
  const stored = () => {
    try {
      return JSON.parse(sessionStorage.getItem(STORED)) ?? [];
    } catch {
      return []; // storage that is off, or holds something else
    }
  };

  function record() {
    const parent = document.querySelector("main .breadcrumb a, .sb-breadcrumbs a");
    const title = document.querySelector("main h1")?.textContent.trim();
    if (!parent || !title || !/^\/c\/(?!.*\/(create|new|import)\/$)/.test(location.pathname)) return;
    const page = { title, url: location.pathname, detail: parent.textContent.trim() };
    const others = stored().filter((one) => one.url !== page.url);
    try {
      sessionStorage.setItem(STORED, JSON.stringify([page, ...others].slice(0, 6)));
    } catch { /* as if nothing had been shown */ }
  }

  /* Before the pages that the server lists: what is open, and what was open before. */
  function group(name, links) {
    if (!links.length) return;
    const box = document.createElement("div");
    box.role = "group";
    box.ariaLabel = switchboard.say(name);
    const head = Object.assign(document.createElement("div"), { role: "presentation", textContent: box.ariaLabel });
    head.className = "text-secondary small fw-bold px-2 pt-2 pb-1";
    const options = links.map((one, at) => {
      const option = Object.assign(document.createElement("a"), { id: `search-${name}-${at}`, href: one.url, role: "option", tabIndex: -1 });
      option.className = "dropdown-item sb-hit";
      option.ariaSelected = "false";
      const title = Object.assign(document.createElement("span"), { className: "text-truncate", textContent: one.title });
      const detail = Object.assign(document.createElement("span"), { className: "sb-hit-detail", textContent: one.detail ?? "" });
      option.append(title, detail);
      if (one.press) option.onclick = (event) => (event.preventDefault(), dialog().close(), one.press.click());
      return option;
    });
    box.append(head, ...options);
    document.getElementById("search-list").prepend(box);
  }

  function complete() {
    for (const option of options()) {
      const key = switchboard.goKey(option);
      if (key) option.insertAdjacentHTML("beforeend", `<kbd class="ms-auto" aria-hidden="true">G ${key.toUpperCase()}</kbd>`);
    }
    const words = input().value.toLowerCase().split(/\s+/);
    const isNamed = (one) => words.every((word) => one.title.toLowerCase().split(/\s+/).some((own) => own.startsWith(word)));
    const listed = new Set(options().map((one) => one.href));
    const detail = document.querySelector("main h1")?.textContent.trim();
    const acts = [...document.querySelectorAll("main .sb-actions a[href], main dd [data-copy]")]
      .map((one) => ({ title: one.ariaLabel || one.textContent.trim(), url: one.href ?? location.href, press: one, detail }))
      .filter((one) => one.title && !listed.has(one.url) && isNamed(one));
    if (acts.length) document.querySelectorAll("#search-hits > [data-none]").forEach((one) => one.remove());
    group("here", acts);
    if (!input().value.trim()) group("recent", stored().filter((one) => one.url !== location.pathname));
  }

  record();
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "search-hits") return;
    complete();
    choose(options()[0]);
  });
})();
