import { queryOptions, useQuery } from "@tanstack/react-query";
import { worldKeys } from "../../app/query-keys.ts";
import { useUi } from "../../app/ui-store.ts";
import { useWorld } from "../../app/world.ts";
import { formatMs } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";

/** Opens the wire at an exchange; nothing when the service gave it no id. */
export const OnTheWire = ({ requestId, of }: { requestId: string | null; of: string }) => {
  const showInWire = useUi((state) => state.showInWire);
  if (requestId === null) return null;
  return (
    <button type="button" className="lnk" onClick={() => showInWire(requestId)}>
      View call<span className="sr">: {of}</span>
    </button>
  );
};

/**
 * How long the service worked on an exchange, in milliseconds, as it has it on record. Not among the requests' keys:
 * what is on record never changes, whatever is called after it.
 */
const servedQuery = (world: string, requestId: string | null) =>
  queryOptions({
    queryKey: [...worldKeys(world).all, "install", "served", requestId] as const,
    enabled: requestId !== null,
    queryFn: async ({ signal }) =>
      (await callControl("requests.get", { id: requestId ?? "", world }, { signal })).duration_ms,
    // It is written down after it was answered.
    retry: 2,
  });

/** How long the service took, as its traces say too; until that is known, what this window waited, named as such. */
export const ServedIn = ({ requestId, waitedMs }: { requestId: string | null; waitedMs: number }) => {
  const { data: servedMs } = useQuery(servedQuery(useWorld(), requestId));
  if (servedMs === undefined) return <span>{formatMs(waitedMs)} round trip</span>;
  return <span title={`In the service; this window waited ${formatMs(waitedMs)}`}>{formatMs(servedMs)}</span>;
};
