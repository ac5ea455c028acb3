// Writes our style sheets, or scripts, without their comments: node static/small.mjs css|js < FILE

import { readFileSync } from "node:fs";

const text = readFileSync(0, "utf8");
const small = {
  css: () => text.replace(/\/\*[^]*?\*\//g, "").replace(/\s+/g, " ").replace(/ ?([{};]) ?/g, "$1"),
  // Those that begin a line: what looks like one within a line may be an address. No text is more than
  // a line long.
  js: () => text.replace(/^\s*(\/\*(?!!)[^]*?\*\/|\/\/.*)\n/gm, "").replace(/^[ \t]+|\n(?=\n)/gm, ""),
};
process.stdout.write(small[process.argv[2]]());
