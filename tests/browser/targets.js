/* What is too small to be hit with a finger, by WCAG 2.5.8: below 24 by 24 pixels, and with another
   target within the circle of that width around its middle. Links within a text are as large as
   the text. */
() => {
  const LEAST = 24;
  const TARGETS = `a[href], button, input, select, textarea, summary,
    [tabindex="0"]:is([role=button], [role=link], [role=tab], [role=checkbox], [role=radio], [role=switch])`;

  const root = document.querySelector("dialog:modal") ?? document.body;

  /* What moves by itself, or is scrolled by itself, lies beside the rest only for a moment. */
  function layer(element) {
    for (let at = element.parentElement; at && at !== root; at = at.parentElement) {
      const { position, overflowX, overflowY } = getComputedStyle(at);
      if (at.matches(":popover-open") || /fixed|sticky/.test(position)) return at;
      if (/auto|scroll/.test(overflowX + overflowY) && isScrolled(at)) return at;
    }
    return root;
  }

  const isScrolled = (box) => box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth;
  const isTiny = (box) => box.width <= 1 || box.height <= 1;

  /* What is there for screen readers and keyboards alone, as a skip link. */
  function isCut(element) {
    for (let at = element; at && at !== root; at = at.parentElement)
      if (getComputedStyle(at).overflow !== "visible" && isTiny(at.getBoundingClientRect())) return true;
    return false;
  }

  function isSeen(element) {
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    if (element.matches(":disabled, [type=hidden], .btn-check") || element.closest("[inert]") || isCut(element)) return false;
    const box = element.getBoundingClientRect();
    return !isTiny(box) && box.bottom + scrollY > 0 && box.right > 0;
  }

  /* Whether there is text around it, in the same block, that is no target. */
  function isWithinText(element) {
    if (!getComputedStyle(element).display.startsWith("inline") || element.matches("input, select, textarea"))
      return false;
    const block = blockOf(element.parentElement);
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: around, data } = walker.currentNode;
      if (data.trim() && !around.closest(TARGETS) && blockOf(around) === block && isSeen(around)) return true;
    }
    return false;
  }

  function blockOf(element) {
    let at = element;
    while (getComputedStyle(at).display.startsWith("inline") && at !== root) at = at.parentElement;
    return at;
  }

  const targets = [...root.querySelectorAll(TARGETS)].filter(isSeen).map((element) => {
    const box = element.getBoundingClientRect();
    const isSmall = box.width < LEAST - 0.05 || box.height < LEAST - 0.05;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return { element, box, isSmall, x, y, layer: layer(element) };
  });

  /* From the middle of a target to the nearest point of another, to its circle if that is small. */
  function distance(one, other) {
    const { left, right, top, bottom } = other.box;
    const toBox = Math.hypot(
      Math.max(left - one.x, 0, one.x - right),
      Math.max(top - one.y, 0, one.y - bottom),
    );
    const toCircle = Math.hypot(one.x - other.x, one.y - other.y) - LEAST / 2;
    return other.isSmall ? Math.min(toBox, toCircle) : toBox;
  }

  function isCrowded(one) {
    return targets.some(
      (other) =>
        !one.element.contains(other.element) &&
        !other.element.contains(one.element) &&
        one.layer === other.layer &&
        distance(one, other) < LEAST / 2 - 0.05,
    );
  }

  return targets
    .filter((one) => one.isSmall && !isWithinText(one.element) && isCrowded(one))
    .map(({ element, box }) => {
      const size = `${box.width.toFixed(1)} by ${box.height.toFixed(1)}`;
      return `${element.outerHTML.slice(0, 160)}: ${size} of ${LEAST}`;
    });
}
