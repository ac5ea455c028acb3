/* Menus by keyboard: the arrows open one and go round in it, Home and End go to its ends. The browser
   closes it with Escape and gives the focus back. */
(() => {
  const isMenu = (element) => element?.matches(".dropdown-menu");
  const menuOf = (button) => {
    const menu = document.getElementById(button?.getAttribute("popovertarget"));
    return isMenu(menu) ? menu : null;
  };
  const stops = (menu) =>
    [...menu.querySelectorAll("a[href], button:not(:disabled), input:not([type=hidden], :disabled)")].filter(
      (stop) => stop.checkVisibility(),
    );
  /* Where the keys move something else; in a search they lead to what it lists. */
  const isOwnKey = (stop, key) =>
    stop.matches("select, textarea, input:not([type=checkbox], [type=radio])") &&
    !(stop.matches("[type=search]") && key.startsWith("Arrow"));

  function go(menu, from, key) {
    const all = stops(menu);
    const at = all.indexOf(from);
    const last = all.length - 1;
    const to = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[key];
    all[to]?.focus();
  }

  document.addEventListener("keydown", (event) => {
    if (!["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const opener = event.target.closest("[popovertarget]");
    const opened = menuOf(opener);
    const inside = event.target.closest(".dropdown-menu:popover-open");
    if (inside) {
      if (isOwnKey(event.target, event.key)) return;
      event.preventDefault();
      go(inside, event.target, event.key);
    } else if (opened && event.key.startsWith("Arrow")) {
      event.preventDefault();
      if (!opened.matches(":popover-open")) opened.showPopover({ source: opener });
      go(opened, null, event.key);
    }
  });
})();
