// Writes Tabler's style sheet without the rules of classes and data attributes that no page uses
// (static/classes.txt, where a word after a minus is one of texts alone), without variables and
// animations that nothing reads, and says nothing of its source map:
//
//     cat OUR-SHEETS | node static/tabler.mjs TABLER CLASSES > SHEET

import { readFileSync } from "node:fs";

const [sheet, used, own] = [...process.argv.slice(2), 0].map((path) => readFileSync(path, "utf8"));
const listed = new Set(used.split(/\s+/));
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
  const named = plain.match(/\.(?:[\w-]|\\.)+|\[data-[\w-]+/g) ?? [];
  return named.every((each) => listed.has(each.slice(1).replaceAll("\\", "")));
}

// The sheet's rules as `write` returns each of a head and a body, those within media queries too.
function rewritten(text, write) {
  return divided(text, "}").map((rule) => {
    const brace = rule.indexOf("{");
    if (brace < 0) return rule;
    const [head, body] = [rule.slice(0, brace).trim(), rule.slice(brace + 1, -1)];
    if (!nested.test(head)) {
      const left = write(head, body);
      return left ? `${left}}` : "";
    }
    const inner = rewritten(body, write);
    return inner && `${head}{${inner}}`;
  }).join("");
}

function ofUsed(head, body) {
  if (head.startsWith("@")) return `${head}{${body}`;
  const selectors = divided(head, ",").map((each) => each.replace(/,$/, "")).filter(isUsed);
  return selectors.length && `${selectors.join(",")}{${body}`;
}

// Without what nothing reads, until taking it away leaves nothing else unread.
function ofRead(text) {
  const names = (all, pattern) => new Set(all.match(pattern));
  const read = new Set([...names(text, /(?<=var\(\s*)--[\w-]+/g), ...names(own, /--[\w-]+/g)]);
  const isMoving = (name) => new RegExp(`(?<!@keyframes |[\\w.-])${name}(?![\\w-])`).test(text + own);
  const isRead = (line) => !/^\s*--/.test(line) || read.has(line.split(":")[0].trim());
  const less = rewritten(text, (head, body) => {
    if (head.startsWith("@keyframes")) return isMoving(head.split(" ")[1]) && `${head}{${body}`;
    if (head.startsWith("@")) return `${head}{${body}`;
    const lines = divided(body, ";").filter(isRead);
    return lines.length && `${head}{${lines.join("")}`;
  });
  return less === text ? text : ofRead(less);
}

const [, charset, rules] = sheet.replace(/\/\*.*?\*\//gs, "").match(/^(@charset[^;]*;)?([^]*)$/);
process.stdout.write((charset ?? "") + ofRead(rewritten(rules.trim(), ofUsed)));
