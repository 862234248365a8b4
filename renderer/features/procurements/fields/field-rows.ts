import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import { differences, isObject } from "../../../lib/diff.ts";
import { fieldIn } from "../../../lib/field-in.ts";
import { oneSided } from "./values.tsx";

/** A value for each side. */
export type Both<T> = Readonly<Record<Side, T>>;

export const sides = ["repairer", "supplier"] as const;
export const both = <From, To>({ repairer, supplier }: Both<From>, to: (one: From) => To): Both<To> => ({
  repairer: to(repairer),
  supplier: to(supplier),
});

export interface FieldRow {
  /** Displayed path: `offered_items[0].supplied_offer.trade_price`. */
  readonly path: string;
  /** The last segments of the path, for a line under an item. */
  readonly name: string;
  /** Each side's value; undefined when missing or not loaded. */
  readonly seen: Both<unknown>;
  /** The only side with this field; null when both have it. */
  readonly only: Side | null;
  /** True if both sides have different values. */
  readonly differs: boolean;
  /** The fields of an item; empty for a plain field. */
  readonly children: readonly FieldRow[];
}

type Fields = Readonly<Record<string, unknown>>;
/** Null for a missing object. */
type Views = Both<Fields | null>;

const itemLists = ["source_items", "offered_items"];
/** Objects in an item that are shown as one value. */
const oneValue = new Set(["condition", "part_identity"]);

const readFields = (value: unknown): Fields | null => (isObject(value) ? value : null);
const readItems = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);
const fieldKeys = ({ repairer, supplier }: Views): string[] => Object.keys({ ...repairer, ...supplier });

/**
 * Compares both views of an order field by field, in the responses' order, items last. Pass null for an unavailable
 * view; without both, the result is empty.
 */
export const compareViews = (buyer: object | null, supplier: object | null): FieldRow[] => {
  const views: Views = both({ repairer: buyer, supplier }, readFields);

  /** Returns the only side with a field: by both responses, or by the contract while one is missing. */
  const onlySide = (seen: Both<unknown>, name: string): Side | null => {
    const lone = sides.filter((side) => seen[side] !== undefined);
    const [side] = lone;
    if (side === undefined || lone.length > 1) return null;
    const isRead = views[side === "repairer" ? "supplier" : "repairer"] !== null;
    return isRead || Object.hasOwn(oneSided[side], name) ? side : null;
  };

  const lineOf = (path: string, name: string, seen: Both<unknown>, children: readonly FieldRow[] = []): FieldRow => {
    const isShared = seen.repairer !== undefined && seen.supplier !== undefined;
    const differs = isShared && differences(seen.repairer, seen.supplier).length > 0;
    return { path, name, seen, children, only: onlySide(seen, name), differs };
  };

  /** Flattens the fields of an item; names omit the wrappers that every item has. */
  const itemLines = (within: Views, path: string, prefix: string): FieldRow[] =>
    fieldKeys(within).flatMap((key) => {
      const seen = both(within, (fields) => fieldIn(fields, key));
      const inner = both(seen, readFields);
      const opens = !oneValue.has(key) && sides.every((side) => seen[side] === undefined || inner[side] !== null);
      if (!opens) return [lineOf(`${path}.${key}`, prefix + key, seen)];
      const isWrapper = key === "supplied_offer" || key === "buyer_part";
      return itemLines(inner, `${path}.${key}`, isWrapper ? prefix : `${prefix}${key}.`);
    });

  /** Matches both sides' items by ID, in the order of the available view. */
  const matchItems = (list: string): FieldRow[] => {
    const items = both(views, (view) => readItems(view?.[list]));
    const ids = new Set(sides.flatMap((side) => items[side].map(({ id }) => id)));
    return [...ids].map((id, index) => {
      const seen = both(items, (all) => all.find((item) => item.id === id));
      const path = `${list}[${index}]`;
      return lineOf(path, path, seen, itemLines(both(seen, readFields), path, ""));
    });
  };

  const fields = fieldKeys(views).filter((key) => !itemLists.includes(key));
  return [
    ...fields.map((key) =>
      lineOf(
        key,
        key,
        both(views, (view) => fieldIn(view, key)),
      ),
    ),
    ...itemLists.flatMap(matchItems),
  ];
};
