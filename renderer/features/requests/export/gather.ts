import type { RequestDetail, RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import type { RequestFilter } from "../../../domain/exchange/filter.ts";
import { type Reading, readEach } from "../../../domain/share/gather.ts";
import { callControl } from "../../../lib/service-client.ts";
import { askedFor } from "../queries.ts";

const PAGE = 500;

/** The ids of all calls the filter leaves, page by page, at most so many. */
export const matchingIds = async (
  filter: RequestFilter,
  most: number,
  { world, signal }: Reading,
): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const from: { cursor?: string } = cursor === null ? {} : { cursor };
    const limit = Math.min(PAGE, most - ids.length);
    const page: { readonly items: readonly RequestRow[]; readonly next_cursor: string | null } = await callControl(
      "requests.list",
      { ...askedFor(filter), ...from, limit, world },
      { signal },
    );
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null && ids.length < most);
  return ids;
};

export const readCalls = (ids: readonly string[], reading: Reading): Promise<RequestDetail[]> =>
  readEach(ids, reading, (id) => callControl("requests.get", { id, world: reading.world }, reading));
