import Type from "typebox";
import { accessScopes } from "../contract/access.ts";
import { OneOf } from "../contract/schema.ts";
import { describeViolation, findIgnored } from "../operations/validation.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/worlds/world-name.ts";
import type { PersonRule } from "../secrets/people.ts";
import { readOptionFile, unusableFile } from "./environment.ts";

const PeopleFile = Type.Object({
  people: Type.Array(
    Type.Object({
      email: Type.Optional(Type.String({ pattern: "^[^\\s,@]+@[^\\s,@]+$" })),
      group: Type.Optional(Type.String({ pattern: "^[^,\\s]([^,]*[^,\\s])?$" })),
      scope: OneOf([...accessScopes, "operator"]),
      world: Type.Optional(Type.String()),
    }),
    { minItems: 1 },
  ),
});

/** Returns a rule's problem beyond its shape, with the field's name; or null. */
const ruleProblem = ({ email, group, scope, world }: PersonRule, at: string): string | null => {
  if ((email === undefined) === (group === undefined)) return `${at} needs either email or group`;
  if (scope === "operator")
    return world === undefined ? null : `${at}/world must be left out: operators open every world`;
  if (world === undefined) return `${at}/world is missing: the scope ${scope} is for one world`;
  if (!isWorldName(world)) return `${at}/world must be 1 to 64 of A–Z a–z 0–9 . _ -`;
  return world === DEFAULT_WORLD && scope !== "view"
    ? `${at}/scope must be view for the world default: its keys are the service's`
    : null;
};

/**
 * Reads `--people`: scopes of the people who sign in at the proxy. The first matching rule applies. @throws StartError
 */
export const readPeopleFile = (file: string): readonly PersonRule[] => {
  const bad = unusableFile("people", file);
  const read = readOptionFile(file, bad);
  const problem = describeViolation(PeopleFile, read) ?? findIgnored(PeopleFile, read, 1)[0]?.message;
  if (problem !== undefined) throw bad(problem);
  const { people } = read as { readonly people: readonly PersonRule[] };
  for (const [index, rule] of people.entries()) {
    const wrong = ruleProblem(rule, `/people/${index}`);
    if (wrong !== null) throw bad(wrong);
  }
  return people;
};
