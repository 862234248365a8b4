import type { StateChange } from "../contract/control/rows.ts";

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Combines the updates of one job's parts, which come last: an order from four suppliers updates different
 * parts four times.
 */
export const mergeChanges = (changes: readonly StateChange[]): StateChange[] => {
  const isPartsUpdate = ({ entity, change }: StateChange) => entity === "parts" && change === "updated";
  const updates = Map.groupBy(changes.filter(isPartsUpdate), ({ id }) => id).values();
  return [
    ...changes.filter((change) => !isPartsUpdate(change)),
    ...[...updates].flatMap(([first, ...others]) => {
      if (first === undefined || others.length === 0) return first ?? [];
      const all = [first, ...others];
      const before = all.flatMap((one) => asList(one.before));
      return { ...first, before, after: all.flatMap((one) => asList(one.after)) };
    }),
  ];
};
