import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import type { BuyerProcurement, SupplierProcurement } from "../../../../sandbox/contract/resources/procurement.ts";
import { differences, isObject } from "../../../lib/diff.ts";

/** What a side's answer has at a path; `absent` when the answer was read and has no such key, `unread` without an answer. */
export type Seen =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "absent" }
  | { readonly kind: "unread" };

export interface FieldRow {
  /** Written as people say it: `offered_items[0].supplied_offer.trade_price`. */
  readonly path: string;
  /** The last steps of the path, as a line under an item shows it. */
  readonly name: string;
  readonly buyer: Seen;
  readonly supplier: Seen;
  /** The one side whose view has the field; null when both have it. */
  readonly only: Side | null;
  /** Whether both have it and it is not the same. */
  readonly differs: boolean;
  /** The fields of an item; empty for a plain field. */
  readonly children: readonly FieldRow[];
}

type Fields = Readonly<Record<string, unknown>>;

type Only<View, Other> = Readonly<Record<Exclude<keyof View, keyof Other>, true>>;
/** What one side's view has and the other's has not: all of it, as the types hold it to the contract. */
const onlyBuyer: Only<BuyerProcurement, SupplierProcurement> = { supplier_business: true, supplier_organization: true };
const onlySupplier: Only<SupplierProcurement, BuyerProcurement> = {
  buyer_business: true,
  buyer_organization: true,
  buyer_shipping_address: true,
};

/** The reading order: what it is, when, who, what for, how much. Fields this page does not know come after. */
const order = [
  "status",
  "reference",
  "id",
  "job_id",
  "created_at",
  "updated_at",
  "deliver_before",
  "currency_code",
  "supplier_business",
  "supplier_organization",
  "buyer_business",
  "buyer_organization",
  "buyer_shipping_address",
  "vehicle",
  "total_shipping_price",
];
const itemLists = ["source_items", "offered_items"];
/** Objects that are shown as one value inside an item. */
const oneValue = new Set(["condition", "part_identity"]);

const unread: Seen = { kind: "unread" };
const absent: Seen = { kind: "absent" };
const at = (view: Fields | null, key: string): Seen => {
  if (view === null) return unread;
  return Object.hasOwn(view, key) ? { kind: "value", value: view[key] } : absent;
};

/** Which side alone has it: by the two answers, or by the contract's views while one answer is missing. */
const onlyOf = (buyer: Seen, supplier: Seen, name: string): Side | null => {
  if (buyer.kind === "value" && supplier.kind === "absent") return "repairer";
  if (supplier.kind === "value" && buyer.kind === "absent") return "supplier";
  if (buyer.kind === "value" && supplier.kind === "unread" && Object.hasOwn(onlyBuyer, name)) return "repairer";
  if (supplier.kind === "value" && buyer.kind === "unread" && Object.hasOwn(onlySupplier, name)) return "supplier";
  return null;
};

const lineOf = (path: string, name: string, buyer: Seen, supplier: Seen): FieldRow => ({
  path,
  name,
  buyer,
  supplier,
  children: [],
  only: onlyOf(buyer, supplier, name),
  differs: buyer.kind === "value" && supplier.kind === "value" && differences(buyer.value, supplier.value).length > 0,
});

const keysOf = (...views: readonly (Fields | null)[]): string[] => [
  ...new Set(views.flatMap((view) => Object.keys(view ?? {}))),
];

/** The fields inside an item, objects opened; names leave out the wrappers every item has. */
const linesIn = (buyer: Fields | null, supplier: Fields | null, path: string, prefix: string): FieldRow[] =>
  keysOf(buyer, supplier).flatMap((key) => {
    const [ours, theirs] = [at(buyer, key), at(supplier, key)];
    const inner = (seen: Seen) => (seen.kind === "value" && isObject(seen.value) ? seen.value : null);
    const values = [ours, theirs].filter((seen) => seen.kind === "value");
    const opens = !oneValue.has(key) && values.length > 0 && values.every((seen) => inner(seen) !== null);
    if (!opens) return [lineOf(`${path}.${key}`, prefix + key, ours, theirs)];
    const wrapper = key === "supplied_offer" || key === "buyer_part";
    return linesIn(inner(ours), inner(theirs), `${path}.${key}`, wrapper ? prefix : `${prefix}${key}.`);
  });

const listIn = (view: Fields | null, key: string): readonly Fields[] | null => {
  const list = view?.[key];
  return Array.isArray(list) ? list.filter(isObject) : null;
};

/** The items of both sides, matched by their id, in the order of the side that was read. */
const itemRows = (buyer: Fields | null, supplier: Fields | null, list: string): FieldRow[] => {
  const [ours, theirs] = [listIn(buyer, list), listIn(supplier, list)];
  const ids = [...new Set([...(ours ?? []), ...(theirs ?? [])].map((item) => item.id))];
  return ids.map((id, index) => {
    const mine = ours?.find((item) => item.id === id) ?? null;
    const other = theirs?.find((item) => item.id === id) ?? null;
    const seen = (item: Fields | null, items: readonly Fields[] | null): Seen =>
      item ? { kind: "value", value: item } : items ? absent : unread;
    const path = `${list}[${index}]`;
    const children = linesIn(mine, other, path, "");
    const line = lineOf(path, path, seen(mine, ours), seen(other, theirs));
    return { ...line, differs: children.some((child) => child.differs), children };
  });
};

/**
 * Lays the two views of one procurement beside each other, field by field; a view that could not be read is null.
 * Empty when neither was read.
 */
export const compareViews = (buyer: object | null, supplier: object | null): FieldRow[] => {
  const [ours, theirs] = [isObject(buyer) ? buyer : null, isObject(supplier) ? supplier : null];
  const keys = keysOf(ours, theirs).filter((key) => !itemLists.includes(key));
  const place = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
  const fields = keys
    .toSorted((a, b) => place(a) - place(b))
    .map((key) => lineOf(key, key, at(ours, key), at(theirs, key)));
  return [...fields, ...itemLists.flatMap((list) => itemRows(ours, theirs, list))];
};
