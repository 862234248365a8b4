import { type FoundPage, findPage } from "../storage/lists.ts";
import { SlicedReads } from "../storage/slices.ts";

const reads = new SlicedReads();
const { signal } = new AbortController();

/** Reads a page of a list through the service's own query. */
export const readPage = (...parameters: Parameters<typeof findPage>): Promise<FoundPage> =>
  reads.run("a test", signal, () => findPage(...parameters));
