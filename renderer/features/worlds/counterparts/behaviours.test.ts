import { expect, it } from "vitest";
import type { Counterpart } from "../../../../sandbox/contract/control/counterpart-operations.ts";
import {
  behaviourChoice,
  buyerChoices,
  choicesWith,
  rulesWith,
  supplierChoices,
  timedChoices,
  timeOf,
  withTime,
} from "./behaviours.ts";

const rule = (organization_id: string, more: Partial<Counterpart> = {}): Counterpart => ({
  ...{ id: `rule of ${organization_id}`, organization_id, does: "confirm", after_seconds: 30 },
  ...{
    organization_name: organization_id,
    done: 2,
    finished: false,
    off: null,
    sentence: `${organization_id} confirms.`,
  },
  ...more,
});

it("a rule is one of the choices, or an additional one in the same words", () => {
  expect(choicesWith(supplierChoices, rule("a"))).toBe(supplierChoices);
  const own = choicesWith(supplierChoices, rule("a", { does: "cancel", after_seconds: 90 }));
  expect(own.at(-1)).toMatchObject({
    label: "Cancels after 1 min 30 s",
    behaviour: { does: "cancel", after_seconds: 90 },
  });
  const order = rule("b", { does: "order", supplier_id: "s", every_seconds: 5 });
  expect(choicesWith([], order, "Meridian")[0]?.label).toBe("Orders from Meridian every 5 s");
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

it("a time is asked for each behaviour that has one, beginning with the current time", () => {
  const times = (...of: Parameters<typeof timedChoices>) =>
    timedChoices(...of).map(({ label, behaviour }) => [label, behaviour && timeOf(behaviour)]);
  expect(times("supplier", rule("a", { after_seconds: 90 }))).toEqual([
    ["Confirms after …", 90],
    ["Cancels after …", 60],
  ]);
  expect(times("repairer", undefined)).toEqual([]);
  const order = rule("b", { does: "order", supplier_id: "s", every_seconds: 5 });
  expect(times("repairer", order)).toEqual([["Orders from the same supplier every …", 5]]);
  expect(withTime({ does: "order", supplier_id: "s" }, 7)).toEqual({
    does: "order",
    supplier_id: "s",
    every_seconds: 7,
  });
  expect(withTime({ does: "cancel" }, 7)).toEqual({ does: "cancel", after_seconds: 7 });
});
