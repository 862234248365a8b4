import type { SupplierKind } from "../records.ts";
import { Dice } from "./dice.ts";

interface KitRule {
  readonly name: string;
  readonly main: RegExp;
  readonly extra: RegExp;
  /** Percentage of jobs in which each kind of supplier sells the kit. Never the dealer, who offers every part. */
  readonly sellers: Partial<Record<SupplierKind, number>>;
}

const rules: readonly KitRule[] = [
  {
    name: "liner and clips",
    main: /^(guard|wing|fender) liner\b/i,
    extra: /\bclip set\b/i,
    sellers: { aftermarket: 25, consumables: 40 },
  },
  {
    name: "discs and pads",
    main: /^brake disc, front$/i,
    extra: /^brake pad set, front$/i,
    sellers: { aftermarket: 35, mechanical: 50 },
  },
  {
    name: "rear discs and pads",
    main: /^brake disc, rear$/i,
    extra: /^brake pad set, rear$/i,
    sellers: { aftermarket: 35, mechanical: 50 },
  },
  {
    name: "bumper and fixings",
    main: /^(front|rear) bumper cover$/i,
    extra: /^bumper fixing kit$/i,
    sellers: { aftermarket: 25 },
  },
];

/** Indexes of two parts that some suppliers sell as one. */
interface Pair {
  readonly rule: string;
  readonly main: number;
  readonly extra: number;
}

const findKitSide = (description: string): { readonly rule: string; readonly side: "main" | "extra" } | null => {
  const text = description.trim();
  for (const rule of rules) {
    if (rule.main.test(text)) return { rule: rule.name, side: "main" };
    if (rule.extra.test(text)) return { rule: rule.name, side: "extra" };
  }
  return null;
};

/**
 * Pairs the parts of a kit, each part once. A part is paired with the earliest free counterpart before it, so a part
 * added later never breaks a pair.
 */
export const findPairs = (descriptions: readonly string[]): readonly Pair[] => {
  const waiting = new Map<string, number[]>();
  const pairs: Pair[] = [];
  for (const [index, description] of descriptions.entries()) {
    const role = findKitSide(description);
    if (!role) continue;
    const other = role.side === "main" ? "extra" : "main";
    const counterpart = waiting.get(`${role.rule}/${other}`)?.shift();
    if (counterpart === undefined) {
      const key = `${role.rule}/${role.side}`;
      const others = waiting.get(key);
      if (others) others.push(index);
      else waiting.set(key, [index]);
    } else {
      pairs.push({
        rule: role.rule,
        main: other === "main" ? counterpart : index,
        extra: other === "main" ? index : counterpart,
      });
    }
  }
  return pairs;
};

/**
 * Rule under which this supplier sells the part only in a kit; null if it sells the part alone. Decided for the part
 * alone, so its counterpart's arrival adds the kit and removes no offer.
 */
export const findKitRule = (
  jobId: string,
  supplier: { readonly business_id: string; readonly kind: SupplierKind },
  description: string,
): string | null => {
  const role = findKitSide(description);
  const percent = rules.find((rule) => rule.name === role?.rule)?.sellers[supplier.kind] ?? 0;
  return role && new Dice("kit", jobId, supplier.business_id, role.rule).happens(0, percent) ? role.rule : null;
};
