import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import { differences, isObject } from "../../../lib/diff.ts";
import { fieldIn } from "../../../lib/field-in.ts";
import { ofOne } from "./values.tsx";

/** What each side has. */
export type Both<T> = Readonly<Record<Side, T>>;

export const sides = ["repairer", "supplier"] as const;
export const both = <From, To>({ repairer, supplier }: Both<From>, to: (one: From) => To): Both<To> => ({
  repairer: to(repairer),
  supplier: to(supplier),
});

export interface FieldRow {
  /** Written as people say it: `offered_items[0].supplied_offer.trade_price`. */
  readonly path: string;
  /** The last steps of the path, as a line under an item shows it. */
  readonly name: string;
  /** What each side's answer has there; undefined where it has no such key, or was not read. */
  readonly seen: Both<unknown>;
  /** The one side whose view has the field; null when both have it. */
  readonly only: Side | null;
  /** Whether both have it and it is not the same. */
  readonly differs: boolean;
  /** The fields of an item; empty for a plain field. */
  readonly children: readonly FieldRow[];
}

type Fields = Readonly<Record<string, unknown>>;
/** Null where there is nothing to read fields of. */
type Views = Both<Fields | null>;

const itemLists = ["source_items", "offered_items"];
/** Objects that are shown as one value inside an item. */
const oneValue = new Set(["condition", "part_identity"]);

const fieldsOf = (value: unknown): Fields | null => (isObject(value) ? value : null);
const itemsOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);
const keysOf = ({ repairer, supplier }: Views): string[] => Object.keys({ ...repairer, ...supplier });

/**
 * Lays the two views of one procurement beside each other, field by field, in the answers' order and items last; a view
 * that could not be read is null. Empty when neither was read.
 */
export const compareViews = (buyer: object | null, supplier: object | null): FieldRow[] => {
  const views: Views = both({ repairer: buyer, supplier }, fieldsOf);

  /** Which side alone has it: by the two answers, or by the contract's views while one answer is missing. */
  const onlyOf = (seen: Both<unknown>, name: string): Side | null => {
    const lone = sides.filter((side) => seen[side] !== undefined);
    const [side] = lone;
    if (side === undefined || lone.length > 1) return null;
    const isRead = views[side === "repairer" ? "supplier" : "repairer"] !== null;
    return isRead || Object.hasOwn(ofOne[side], name) ? side : null;
  };

  const lineOf = (path: string, name: string, seen: Both<unknown>, children: readonly FieldRow[] = []): FieldRow => {
    const isShared = seen.repairer !== undefined && seen.supplier !== undefined;
    const differs = isShared && differences(seen.repairer, seen.supplier).length > 0;
    return { path, name, seen, children, only: onlyOf(seen, name), differs };
  };

  /** The fields inside an item, objects opened; names leave out the wrappers every item has. */
  const linesIn = (within: Views, path: string, prefix: string): FieldRow[] =>
    keysOf(within).flatMap((key) => {
      const seen = both(within, (fields) => fieldIn(fields, key));
      const inner = both(seen, fieldsOf);
      const opens = !oneValue.has(key) && sides.every((side) => seen[side] === undefined || inner[side] !== null);
      if (!opens) return [lineOf(`${path}.${key}`, prefix + key, seen)];
      const isWrapper = key === "supplied_offer" || key === "buyer_part";
      return linesIn(inner, `${path}.${key}`, isWrapper ? prefix : `${prefix}${key}.`);
    });

  /** The items of both sides, matched by their id, in the order of the side that was read. */
  const itemsIn = (list: string): FieldRow[] => {
    const items = both(views, (view) => itemsOf(view?.[list]));
    const ids = new Set(sides.flatMap((side) => items[side].map(({ id }) => id)));
    return [...ids].map((id, index) => {
      const seen = both(items, (all) => all.find((item) => item.id === id));
      const path = `${list}[${index}]`;
      return lineOf(path, path, seen, linesIn(both(seen, fieldsOf), path, ""));
    });
  };

  const fields = keysOf(views).filter((key) => !itemLists.includes(key));
  return [
    ...fields.map((key) =>
      lineOf(
        key,
        key,
        both(views, (view) => fieldIn(view, key)),
      ),
    ),
    ...itemLists.flatMap(itemsIn),
  ];
};
