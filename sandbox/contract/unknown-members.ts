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

/** Every member of a value that its declaration does not know, with the one that was likely meant. */
export function* unknownsIn(schema: object, value: unknown, path = ""): Generator<Finding, void, void> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const declared = itemSchema(schema as Schema, index);
      if (declared) yield* unknownsIn(declared, item, pointer(path, index));
    }
    return;
  }
  const members = membersOf(schema as Schema);
  if (!isObject(value) || !members) return;
  for (const key of Object.keys(value)) {
    const member = owns(members, key) ? members[key] : undefined;
    if (member) {
      yield* unknownsIn(member, value[key], pointer(path, key));
      continue;
    }
    const names = Object.keys(members);
    const within = names.find((name) => owns(membersOf(members[name] ?? {}) ?? {}, key));
    const [meant] = within === undefined ? nearestNames(key, names) : [pointer(pointer(path, within), key)];
    const known = names.length === 0 ? "no field is" : `there are ${names.join(", ")}`;
    const instead = meant === undefined ? known : `did you mean ${meant}?`;
    yield { path: pointer(path, key), problem: `is not known here; ${instead}` };
  }
}

/** The first of them; null: all are known. */
export const unknownIn = (schema: object, value: unknown): Finding | null =>
  unknownsIn(schema, value).next().value ?? null;
