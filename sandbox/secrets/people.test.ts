import { describe, expect, test } from "vitest";
import { findPerson, PERSON_TOKEN_MS, PersonTokens } from "./people.ts";

const rules = [
  { email: "Anna@example.com", scope: "operator" },
  { group: "acme", scope: "act", world: "acme" },
  { group: "support", scope: "view", world: "staging" },
] as const;

describe("findPerson", () => {
  test("takes the first matching rule, by address or by group", () => {
    const operator = { email: "anna@example.com", scope: "operator", world: null };
    expect(findPerson(rules, "ANNA@example.com", ["acme"])).toEqual(operator);
    const ben = { email: "ben@example.com", scope: "act", world: "acme" };
    expect(findPerson(rules, "ben@example.com", ["support", "acme"])).toEqual(ben);
    for (const groups of [[], ["ACME"], [""], ["acme "]])
      expect(findPerson(rules, "ben@example.com", groups)).toBeNull();
  });
});

describe("a person's token", () => {
  const tokens = new PersonTokens(() => "secret", rules);
  const person = { email: "ben@example.com", scope: "act", world: "acme" } as const;
  const token = tokens.make(person, 1_000);

  test("names its person until it expires", () => {
    expect(tokens.read(token, 999)).toEqual({ ...person, until: 1_000 });
    expect(tokens.read(token, 1_000)).toBeNull();
  });

  test("is invalid if it lasts longer than an hour", () => {
    const hour = 3_600_000;
    expect(tokens.read(tokens.make(person, hour), 0)).toMatchObject(person);
    expect(tokens.read(tokens.make(person, hour + 1), 0)).toBeNull();
    expect(PERSON_TOKEN_MS).toBeLessThan(hour);
  });

  test("is invalid with another secret, other rules, or any change", () => {
    expect(new PersonTokens(() => "other", rules).read(token, 0)).toBeNull();
    expect(new PersonTokens(() => "secret", rules.slice(1)).read(token, 0)).toBeNull();
    const forged = Buffer.from(JSON.stringify({ ...person, scope: "operator", until: 1_000 })).toString("base64url");
    for (const other of [
      `sbp_${forged}${token.slice(-43)}`,
      `${token}A`,
      token.slice(0, -1),
      "sbp_",
      "",
      `sbw_${token}`,
      token.replace("sbp_", "sbw_"),
    ])
      expect(tokens.read(other, 0)).toBeNull();
  });
});
