// `npm run rooms`: draws the folders' imports in CONTRIBUTING.md.
import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./lib/project.mjs";
import { drawDiagram, PARTS } from "./lib/rooms.mjs";

const file = path.join(ROOT, "CONTRIBUTING.md");
let text = fs.readFileSync(file, "utf8");
for (const part of PARTS) {
  const between = new RegExp(`(<!-- rooms of ${part} -->\n)[^]*?(<!-- end -->)`);
  if (!between.test(text)) throw new Error(`CONTRIBUTING.md has no place for the rooms of ${part}.`);
  text = text.replace(between, `$1${drawDiagram(part)}\n$2`);
}
fs.writeFileSync(file, text);
