import { type Finding, isObject, itemSchema, owns, pointer, type Schema } from "./explain.ts";
import { nearestNames } from "./nearest-names.ts";

/** What a declaration knows of an object: of a union the members of all its variants. */
const membersOf = ({ anyOf, properties, patternProperties }: Schema): Readonly<Record<string, Schema>> | undefined => {
  if (!anyOf) return patternProperties ? undefined : properties;
  const members = new Map<string, Schema>();
  for (const [name, member] of anyOf.flatMap((variant) => Object.entries(membersOf(variant) ?? {})))
    if (!members.has(name) || !member.not) members.set(name, member);
  return members.size === 0 ? undefined : Object.fromEntries(members);
};

/** The first member of a value that its declaration does not know, with the one that was likely meant; null: it knows all. */
export const unknownIn = (schema: object, value: unknown, path = ""): Finding | null => {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = unknownIn(itemSchema(schema as Schema, index) ?? {}, item, pointer(path, index));
      if (found) return found;
    }
    return null;
  }
  const members = membersOf(schema as Schema);
  if (!isObject(value) || !members) return null;
  for (const key of Object.keys(value)) {
    const member = owns(members, key) ? members[key] : undefined;
    if (!member) {
      const names = Object.keys(members);
      const [meant] = nearestNames(key, names);
      const instead = meant === undefined ? `there are ${names.join(", ")}` : `did you mean ${meant}?`;
      return { path: pointer(path, key), problem: `is not known here; ${instead}` };
    }
    const found = unknownIn(member, value[key], pointer(path, key));
    if (found) return found;
  }
  return null;
};
