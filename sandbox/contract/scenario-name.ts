/** Extension of a reproduction's file. Scenarios are `.json` files; a reproduction may be one, too. */
export const REPRODUCTION_EXTENSION = "reproduction";

export const scenarioFileName = (name: string, isReproduction: boolean): string =>
  `${name}.${isReproduction ? REPRODUCTION_EXTENSION : "json"}`;

/** Derives a file name from a scenario's title, in lowercase. */
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
