/* What is harder to read than WCAG 2 AA allows: the colours that the browser computed, of each
   piece of text that is seen, on what lies under it, be it around the text or only drawn there. */
() => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });

  const colours = new Map();

  /* Red, green, blue and opacity of any CSS colour. */
  function read(colour) {
    if (!colours.has(colour)) colours.set(colour, draw(colour));
    return colours.get(colour);
  }

  function draw(colour) {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, opacity] = pen.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, opacity / 255];
  }

  const over = (top, under) =>
    [0, 1, 2].map((at) => top[at] * top[3] + under[at] * (1 - top[3])).concat(1);

  /* An element and what it is drawn on, from the top down, at the middle of a box. What cannot be
     hit there, as in a part that is scrolled away, is taken to lie on the elements around it. */
  function stack(element, boxOf) {
    let box = boxOf();
    const middle = box.top + box.height / 2;
    if (middle < 0 || middle >= innerHeight) {
      scrollBy({ top: middle - innerHeight / 2, behavior: "instant" });
      box = boxOf();
    }
    const hit = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const place = hit.indexOf(element);
    if (place >= 0) return hit.slice(place);
    const around = [];
    for (let at = element; at; at = at.parentElement) {
      around.push(at);
      if (at.matches("dialog:modal, :popover-open")) break;
    }
    return around;
  }

  function ground(element, boxOf) {
    const layers = [];
    for (const at of stack(element, boxOf)) {
      const layer = read(getComputedStyle(at).backgroundColor);
      if (layer[3]) layers.unshift(layer);
      if (layer[3] === 1) break;
    }
    const paper = read(getComputedStyle(document.body).backgroundColor);
    return layers.reduce((under, layer) => over(layer, under), over(paper, [255, 255, 255, 1]));
  }

  function opacity(element) {
    let seen = 1;
    for (let at = element; at; at = at.parentElement) seen *= Number(getComputedStyle(at).opacity);
    return seen;
  }

  function luminance(colour) {
    const [red, green, blue] = colour.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function ratio(colour, under) {
    const [dark, light] = [luminance(colour), luminance(under)].sort((one, other) => one - other);
    return (light + 0.05) / (dark + 0.05);
  }

  function isSeen(element) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    if (element.closest(".visually-hidden, :disabled, [aria-disabled=true], option, script, style")) return false;
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && box.bottom + scrollY > 0 && box.right > 0;
  }

  const faint = new Map();

  function look(element, text, style, boxOf = () => element.getBoundingClientRect()) {
    const under = ground(element, boxOf);
    const [red, green, blue, alpha] = read(style.color);
    const colour = [red, green, blue, alpha * opacity(element)];
    const found = ratio(over(colour, under), under);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const least = isLarge ? 3 : 4.5;
    if (found >= least) return;
    const words = text.trim().replace(/\s+/g, " ").slice(0, 60);
    faint.set(`<${element.localName}> ${words}: ${found.toFixed(2)} of ${least}`, true);
  }

  const [left, top] = [scrollX, scrollY];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: element, data } = walker.currentNode;
    if (!data.trim() || !isSeen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const firstLine = () => [...range.getClientRects()].find((box) => box.width) ?? range.getBoundingClientRect();
    look(element, data, getComputedStyle(element), firstLine);
  }
  for (const field of document.querySelectorAll("input, textarea, select")) {
    if (field.matches("[type=hidden], [type=checkbox], [type=radio], [type=file]") || !isSeen(field)) continue;
    const text = field.selectedOptions?.[0]?.text ?? field.value;
    if (text) look(field, text, getComputedStyle(field));
    else if (field.placeholder) look(field, field.placeholder, getComputedStyle(field, "::placeholder"));
  }
  scrollTo({ left, top, behavior: "instant" });
  return [...faint.keys()];
}
