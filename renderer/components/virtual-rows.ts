export const GROUP_HEIGHT = 28;

export type ListRowOf<T> =
  | { readonly kind: "item"; readonly key: string; readonly item: T; readonly index: number }
  | { readonly kind: "group"; readonly key: string; readonly group: string };

/** Items with a head in front of each new group, and where each item's row is. */
export const listRows = <T>(items: readonly T[], keyOf: (item: T) => string, groupOf?: (item: T) => string) => {
  const rows: ListRowOf<T>[] = [];
  const positions = new Map<string, number>();
  let current: string | null = null;
  items.forEach((item, index) => {
    const group = groupOf?.(item);
    if (group !== undefined && group !== current) {
      rows.push({ kind: "group", key: `group:${group}:${index}`, group });
      current = group;
    }
    const key = keyOf(item);
    positions.set(key, rows.length);
    rows.push({ kind: "item", key, item, index });
  });
  return { rows, positions };
};
