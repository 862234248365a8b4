/** The world of calls that name none (D80). */
export const DEFAULT_WORLD = "default";

/** D81: 1 to 64 letters, digits, dots, underscores and hyphens. */
export const isWorldName = (name: string): boolean => /^[A-Za-z0-9._-]{1,64}$/.test(name);

/** Returns why a name can't be used for a new world or a snapshot, as a sentence; null if it can. */
export const nameProblem = (name: string, taken: readonly string[], of = "world"): string | null => {
  if (name === "") return `A ${of} needs a name.`;
  if (/[^A-Za-z0-9._-]/.test(name)) return "Use only letters, digits, dots, underscores and hyphens.";
  if (name.length > 64) return `A ${of}’s name has at most 64 characters; this one has ${name.length}.`;
  if (taken.includes(name)) return `A ${of} named ${name} already exists.`;
  return null;
};

/** Returns a free name for a copy: "qa-copy", "qa-copy-2", …; cut to the length limit. */
export const copyName = (of: string, taken: readonly string[], as = "copy"): string => {
  for (let count = 1; ; count++) {
    const ending = count === 1 ? `-${as}` : `-${as}-${count}`;
    const name = of.slice(0, 64 - ending.length) + ending;
    if (!taken.includes(name)) return name;
  }
};

/** Returns the name of an imported world if it is unused, else the closest unused one. */
export const freeName = (wanted: unknown, taken: readonly string[]): string => {
  const name = typeof wanted === "string" && isWorldName(wanted) ? wanted : "imported";
  return taken.includes(name) ? copyName(name, taken) : name;
};
