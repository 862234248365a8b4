import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./project.mjs";

/**
 * Copies a built part into a package, without source maps, the bundler's file list and Node's compile cache.
 *
 * @param {string} part for example `renderer`
 * @param {string} to
 */
export function copyBuilt(part, to) {
  cpSync(path.join(ROOT, "out", part), to, {
    recursive: true,
    filter: (source) => !/\.map$|[\\/]\.vite$|[\\/]compiled$/.test(source),
  });
  for (const name of globSync(`${to}/**/*.{js,cjs}`)) {
    const code = readFileSync(name, "utf8");
    writeFileSync(name, code.replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, "\n"));
  }
}
