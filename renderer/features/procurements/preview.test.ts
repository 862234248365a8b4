import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import type { LiveEntry, WorldChange } from "../../../sandbox/contract/live.ts";
import { explanationQuery } from "../../domain/trace/queries.ts";
import { createCacheSync } from "../../kernel/live/cache-sync.ts";
import { previewQuery } from "./preview.ts";

it.each<WorldChange["what"]>(["clock", "policies"])(
  "preview and explanation reload after a change of the %s",
  async (what) => {
    const client = new QueryClient();
    const preview = previewQuery("w", { id: "order", job_id: "Job" }).queryKey;
    const explanation = explanationQuery("w", "call").queryKey;
    client.setQueryData<unknown>(preview, []);
    client.setQueryData<unknown>(explanation, {});
    const isStale = () => [preview, explanation].map((key) => client.getQueryState(key)?.isInvalidated);
    expect(isStale()).toEqual([false, false]);
    createCacheSync(client, "w").take([{ id: 1, kind: "world", at: "", trace_id: null, data: { what } } as LiveEntry]);
    await vi.waitFor(() => expect(isStale()).toEqual([true, true]));
  },
);
