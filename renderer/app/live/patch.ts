/** Careful edits of cached lists, whose shape is `{items, total}` or pages of those; anything else is left alone. */
interface Row {
  readonly id: string;
}
interface Page {
  readonly items: readonly Row[];
  readonly total?: number;
  readonly total_is_minimum?: boolean;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isPage = (value: unknown): value is Page => isRecord(value) && Array.isArray(value.items);

const patchPage = (page: Page, row: Row): Page => {
  if (!page.items.some((item) => item.id === row.id)) return page;
  return { ...page, items: page.items.map((item) => (item.id === row.id ? row : item)) };
};

/** Replaces the row with the same id wherever a cached list holds it; lists that do not hold it stay the same object. */
export const patchRows = (data: unknown, row: Row): unknown => {
  if (isPage(data)) return patchPage(data, row);
  if (isRecord(data) && Array.isArray(data.pages)) {
    const before: readonly unknown[] = data.pages;
    const pages = before.map((page) => (isPage(page) ? patchPage(page, row) : page));
    return pages.some((page, index) => page !== before[index]) ? { ...data, pages } : data;
  }
  return data;
};

/** Puts a row in front of a cached page, at most `most` long; a row that is there already is replaced in place. */
export const prependRow = (data: unknown, row: Row, most: number): unknown => {
  if (!isPage(data)) return data;
  if (data.items.some((item) => item.id === row.id)) return patchPage(data, row);
  return {
    ...data,
    items: [row, ...data.items].slice(0, most),
    ...(data.total === undefined || data.total_is_minimum ? {} : { total: data.total + 1 }),
  };
};
