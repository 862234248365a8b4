// `npm run rooms`: draws the folders' imports in CONTRIBUTING.md.
import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./lib/project.mjs";
import { drawing, PARTS } from "./lib/rooms.mjs";

const file = path.join(ROOT, "CONTRIBUTING.md");
let text = fs.readFileSync(file, "utf8");
for (const part of PARTS) {
  const [begin, end] = [`<!-- rooms of ${part} -->\n`, "\n<!-- end -->"];
  const from = text.indexOf(begin) + begin.length;
  text = text.slice(0, from) + drawing(part) + text.slice(text.indexOf(end, from));
}
fs.writeFileSync(file, text);
