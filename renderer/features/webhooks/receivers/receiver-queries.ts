import { queryOptions } from "@tanstack/react-query";
import type { Receipt } from "../../../../sandbox/contract/control/receiver-rows.ts";
import type { LiveListQuery } from "../../../app/live/live-list.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { callControl } from "../../../lib/service-client.ts";

/** A drill arrives without a delivery the feed would tell of: what is shown again is read again. */
const staleTime = 0;

export const receiversQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).receivers("list"),
    queryFn: async ({ signal }) => (await callControl("receivers.list", { world }, { signal })).items,
    staleTime,
  });

/** What a receiver was sent, newest first. */
export const receivedList = (world: string, id: string): LiveListQuery<Receipt> => ({
  queryKey: worldKeys(world).receivers("received", id),
  read: (from, signal) => callControl("receivers.received", { id, ...from, world }, { signal }),
});
