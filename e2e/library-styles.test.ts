import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const renderer = path.join(import.meta.dirname, "../renderer");
const styles = path.join(renderer, "../node_modules/@mantine/core/styles");
const theme = readFileSync(path.join(renderer, "kernel/theme/theme.css"), "utf8");
/** Styled by our own sheets. */
const ownStyles = new Set(["Fieldset", "Kbd"]);

const findComponents = (source: string): string[] =>
  [...source.matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().replace(/ as .*/, "")),
  );

it("every class in the code has a rule", () => {
  const read = (pattern: string) =>
    globSync(pattern, { cwd: renderer }).map((file) => readFileSync(path.join(renderer, file), "utf8"));
  const ruled = new Set(
    read("**/*.css").flatMap((sheet) => [...sheet.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name)),
  );
  const written = read("**/*.tsx").flatMap((source) =>
    [...source.matchAll(/className="([^"]+)"/g)].flatMap(([, names = ""]) => names.split(" ")),
  );
  expect(written).toContain("note");
  expect(written.filter((name) => !ruled.has(name))).toEqual([]);
});

it("every used library component has its style sheet", () => {
  const used = globSync("**/*.tsx", { cwd: renderer }).flatMap((file) =>
    findComponents(readFileSync(path.join(renderer, file), "utf8")),
  );
  const bare = [...new Set(used)].filter(
    (name) =>
      existsSync(path.join(styles, `${name}.css`)) && !theme.includes(`/${name}.layer.css`) && !ownStyles.has(name),
  );
  expect(used).toContain("Text");
  expect(bare).toEqual([]);
});
