import { type FoundPage, findPage } from "../storage/lists.ts";
import { SlicedReads } from "../storage/slices.ts";

const reads = new SlicedReads();
const { signal } = new AbortController();

/** A page of a list, read as the service reads it. */
export const readPage = (...asked: Parameters<typeof findPage>): Promise<FoundPage> =>
  reads.run("a test", signal, () => findPage(...asked));
