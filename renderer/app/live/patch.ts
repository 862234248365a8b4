/** Careful edits of cached lists, whose shape is `{items, total}` or pages of those; anything else is left alone. */
interface Row {
  readonly id: string;
}
interface Page {
  readonly items: readonly Row[];
  readonly total?: number;
  readonly total_is_minimum?: boolean;
}

/** Rows as they are now, by their ids; null for one that is gone. */
export type Changed = ReadonlyMap<string, Row | null>;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isPage = (value: unknown): value is Page => isRecord(value) && Array.isArray(value.items);

const patchPage = (page: Page, changed: Changed): Page => {
  if (!page.items.some(({ id }) => changed.has(id))) return page;
  return {
    ...page,
    items: page.items.flatMap((item) => {
      const now = changed.get(item.id);
      return now === null ? [] : (now ?? item);
    }),
  };
};

/** Replaces changed rows wherever a cached list holds them; lists that hold none stay the same object. */
export const patchRows = (data: unknown, changed: Changed): unknown => {
  if (isPage(data)) return patchPage(data, changed);
  if (isRecord(data) && Array.isArray(data.pages)) {
    const before: readonly unknown[] = data.pages;
    const pages = before.map((page) => (isPage(page) ? patchPage(page, changed) : page));
    return pages.some((page, index) => page !== before[index]) ? { ...data, pages } : data;
  }
  return data;
};

/** Puts a row in front of a cached page, at most `most` long; a row that is there already is replaced in place. */
export const prependRow = (data: unknown, row: Row, most: number): unknown => {
  if (!isPage(data)) return data;
  if (data.items.some((item) => item.id === row.id)) return patchPage(data, new Map([[row.id, row]]));
  return {
    ...data,
    items: [row, ...data.items].slice(0, most),
    ...(data.total === undefined || data.total_is_minimum ? {} : { total: data.total + 1 }),
  };
};
