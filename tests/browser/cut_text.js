/* Text that is cut without a way to read it, and texts that lie over each other. What scrolls, or has
   all of it in a title, can be read. What is chosen in a select, and what an empty field asks for, is
   text too. */
() => {
  const root = document.querySelector("dialog:modal") ?? document.body;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];

  /* What is seen of an element: within all that clips it. */
  function clip(element) {
    const seen = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.position === "fixed" || style.position === "sticky") seen.layer ??= at;
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const box = at.getBoundingClientRect();
      seen.left = Math.max(seen.left, box.left);
      seen.top = Math.max(seen.top, box.top);
      seen.right = Math.min(seen.right, box.right);
      seen.bottom = Math.min(seen.bottom, box.bottom);
    }
    return seen;
  }

  /* Whether what lies there is cut off across, by what cannot be scrolled. */
  function isCut(element, box) {
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      const { overflowX } = getComputedStyle(at);
      if (overflowX === "visible") continue;
      const edge = at.getBoundingClientRect();
      if (box.right > edge.right + 1.5 || box.left < edge.left - 1.5) return !/auto|scroll/.test(overflowX);
    }
    return false;
  }

  /* The title of a relative time is the time itself. */
  const isTitled = (element, words) =>
    element.closest("time[title]") ||
    [element.closest("[title]"), ...element.querySelectorAll("[title]")].some(
      (one) => one && one.title.replace(/\s+/g, "").includes(words.replace(/\s+/g, "").slice(0, 20)),
    );

  const cut = [];
  const pen = document.createElement("canvas").getContext("2d");
  for (const control of root.querySelectorAll("select:not([multiple]), input[placeholder]:placeholder-shown")) {
    if (!control.checkVisibility({ visibilityProperty: true })) continue;
    const words = (control.selectedOptions ? control.selectedOptions[0]?.text : control.placeholder) ?? "";
    const { font, paddingLeft, paddingRight } = getComputedStyle(control);
    pen.font = font;
    const room = control.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (pen.measureText(words).width > room + 1.5 && !isTitled(control, words))
      cut.push(`cut in its field: ${words.slice(0, 60)}`);
  }
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement, words = node.data.trim();
    if (!words || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.closest("script, style, svg, option, datalist, .visually-hidden, .visually-hidden-focusable, [popover]:not(:popover-open), .offboard-lone .form-label")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const seen = clip(element);
    for (const box of range.getClientRects()) {
      if (box.width < 2 || box.height < 2) continue;
      if (isCut(element, box) && !isTitled(element, words)) {
        cut.push(`cut: ${words.slice(0, 60)}`);
        break;
      }
      // Letters take no more than their line: large ones have a box that is higher.
      const above = Math.max(box.height - parseFloat(getComputedStyle(element).lineHeight) || 0, 0) / 2;
      const shown = {
        left: Math.max(box.left, seen.left), right: Math.min(box.right, seen.right),
        top: Math.max(box.top + above, seen.top), bottom: Math.min(box.bottom - above, seen.bottom),
      };
      if (shown.right - shown.left > 2 && shown.bottom - shown.top > 2)
        texts.push({ ...shown, element, words, layer: seen.layer });
    }
  }

  texts.sort((one, other) => one.top - other.top);
  const over = new Set();
  texts.forEach((one, at) => {
    for (let next = at + 1; next < texts.length && texts[next].top < one.bottom - 3; next++) {
      const other = texts[next];
      if (other.layer !== one.layer || one.element === other.element) continue;
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - other.top;
      if (across > 2 && down > 4) over.add(`over each other: ${one.words.slice(0, 40)} | ${other.words.slice(0, 40)}`);
    }
  });
  return [...new Set(cut), ...over];
}
