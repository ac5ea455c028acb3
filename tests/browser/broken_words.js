/* Words that a line breaks in their middle. Behind a hyphen, an at sign, a stroke or a full stop, a
   word may end its line; ids and secrets are no words. */
() => {
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const broken = new Set();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.checkVisibility({ checkVisibilityCSS: true })) continue;
    if (node.parentElement.closest(".visually-hidden, pre, code, script, style")) continue;
    if (node.parentElement.closest("thead")?.offsetWidth === 1) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\s\u200b\-–/@.,:;?&=_()]+/g)) {
      if (word.length > 19) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].filter((box) => box.width > 0).map((box) => box.top);
      if (Math.max(...tops) - Math.min(...tops) > 6) broken.add(word);
    }
  }
  return [...broken];
}
