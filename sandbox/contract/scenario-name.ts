/** How the name of a reproduction's file ends. Scenarios are `.json` files, and a reproduction may be one, too. */
export const REPRODUCTION_EXTENSION = "reproduction";

/** What a scenario's file is called. */
export const scenarioFileName = (name: string, isReproduction: boolean): string =>
  `${name}.${isReproduction ? REPRODUCTION_EXTENSION : "json"}`;

/** A file's name for a scenario: what its own says, in small letters. */
export const scenarioName = (title: string, taken: readonly string[]): string => {
  const plain = title
    .replace(/\.(json|reproduction)$/i, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 56)
    .replace(/-+$/, "");
  const name = plain === "" ? "scenario" : plain;
  if (!taken.includes(name)) return name;
  let number = 2;
  while (taken.includes(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
};
