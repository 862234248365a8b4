import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PACKAGE } from "../sandbox/contract/package-name.ts";

/** True once the package and the installers are published. Until then, pages recommend a clone first. */
const IS_PUBLISHED: boolean = false;

const files = execFileSync("git", ["ls-files", "*.md", "*.ts", "*.tsx", "*.mjs", "*.yml", "*.yaml"], {
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) => file !== "build/package-name.test.ts");
const PUBLISHED_NAME =
  /npx (?:--yes )?(@[\w-]+\/)?[\w-]*sandbox|npm (?:install|i) [^\n`]*?(@[\w-]+\/)?[\w-]+-sandbox\b(?!-)/;

describe("the name of the package", () => {
  test("is scoped in every npm command", () => {
    const found = files.flatMap((file) => {
      const named = PUBLISHED_NAME.exec(readFileSync(file, "utf8"))?.[0];
      return named === undefined || named.includes(PACKAGE) ? [] : [`${file}: ${named}`];
    });
    expect(found).toEqual([]);
  });

  test("appears after the clone and the first release until it is published", () => {
    for (const file of ["README.md", "docs/install.md"]) {
      const text = readFileSync(file, "utf8");
      const [clone, release, name] = [/from a clone/i, /with the first release/i, new RegExp(PACKAGE)].map((words) =>
        text.search(words),
      );
      if (IS_PUBLISHED) expect([file, release]).toEqual([file, -1]);
      else expect([file, clone, release, name].map((at) => at === -1)).toEqual([false, false, false, false]);
      if (!IS_PUBLISHED)
        expect([clone, release, name]).toEqual([clone, release, name].toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    }
    for (const file of ["build/npm/README.md", "docs/continuous-integration.md"])
      expect([file, /first release/i.test(readFileSync(file, "utf8"))]).toEqual([file, !IS_PUBLISHED]);
  });
});
