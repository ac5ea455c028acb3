// Writes Tabler's style sheet without the rules of classes that no page uses (static/classes.txt),
// and says nothing of its source map: node static/tabler.mjs TABLER CLASSES > SHEET

import { readFileSync } from "node:fs";

const [sheet, used] = process.argv.slice(2).map((path) => readFileSync(path, "utf8"));
const classes = new Set(used.split(/\s+/));
const nested = /^@(media|supports|layer|container)\b/;

// Commas and braces within strings and brackets divide nothing.
function divided(text, at) {
  const found = [];
  let depth = 0, quote = "", begun = 0;
  for (let place = 0; place < text.length; place += 1) {
    const sign = text[place];
    if (sign === "\\") place += 1;
    else if (quote) quote = sign === quote ? "" : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if ("({[".includes(sign)) depth += 1;
    else if (")}]".includes(sign)) depth -= 1;
    if (!depth && !quote && sign === at) {
      found.push(text.slice(begun, place + 1));
      begun = place + 1;
    }
  }
  return [...found, text.slice(begun)].filter(Boolean);
}

// What stands in :not(), :is() and the like decides nothing here.
function isUsed(selector) {
  const plain = selector.replace(/:[\w-]+\((?:[^()]|\([^()]*\))*\)/g, "");
  const named = plain.match(/\.(?:[\w-]|\\.)+/g) ?? [];
  return named.every((each) => classes.has(each.slice(1).replaceAll("\\", "")));
}

function kept(text) {
  return divided(text, "}").map((rule) => {
    const brace = rule.indexOf("{");
    if (brace < 0) return rule;
    const [head, body] = [rule.slice(0, brace).trim(), rule.slice(brace + 1, -1)];
    if (nested.test(head)) {
      const inner = kept(body);
      return inner && `${head}{${inner}}`;
    }
    if (head.startsWith("@")) return rule;
    const selectors = divided(head, ",").map((each) => each.replace(/,$/, "")).filter(isUsed);
    return selectors.length ? `${selectors.join(",")}{${body}}` : "";
  }).join("");
}

process.stdout.write(kept(sheet.replace(/\/\*.*?\*\//gs, "")));
