import { expect, it } from "vitest";
import type { Counterpart } from "../../../../sandbox/contract/control/counterpart-operations.ts";
import { behaviourChoice, buyerChoices, choicesWith, rulesWith, supplierChoices } from "./behaviours.ts";

const rule = (organization_id: string, more: Partial<Counterpart> = {}): Counterpart => ({
  ...{ id: `rule of ${organization_id}`, organization_id, does: "confirm", after_seconds: 30 },
  ...{ organization_name: organization_id, done: 2, off: null, sentence: `${organization_id} confirms.` },
  ...more,
});

it("a rule is one of the choices, or an additional one with its sentence", () => {
  expect(choicesWith(supplierChoices, rule("a"))).toBe(supplierChoices);
  const own = choicesWith(supplierChoices, rule("a", { after_seconds: 7 }));
  expect(own.at(-1)).toMatchObject({ label: "a confirms.", behaviour: { does: "confirm", after_seconds: 7 } });
});

it("changing one organization keeps the rules of others", () => {
  const rules = [rule("a"), rule("b")];
  const left = { organization_id: "b", does: "confirm", after_seconds: 30 };
  expect(rulesWith(rules, "a", null)).toEqual([left]);
  expect(rulesWith(rules, "c", { does: "never" }).map(({ organization_id }) => organization_id)).toEqual([
    "a",
    "b",
    "c",
  ]);
});

it("every choice has a unique value", () => {
  const all = [...supplierChoices, ...buyerChoices([{ id: "s", name: "S" }])].filter(({ behaviour }) => behaviour);
  expect(new Set(all.map(({ value }) => value)).size).toBe(all.length);
  for (const { value, behaviour } of all) if (behaviour) expect(behaviourChoice(behaviour)).toBe(value);
});
