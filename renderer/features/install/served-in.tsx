import { useQuery } from "@tanstack/react-query";
import { useWorld } from "../../app/world.ts";
import { formatMs } from "../../lib/formatting.ts";
import { servedQuery } from "./queries.ts";

/** How long the service took, as its traces say too; until that is known, what this window waited, named as such. */
export const ServedIn = ({ requestId, waitedMs }: { requestId: string | null; waitedMs: number }) => {
  const { data: servedMs } = useQuery(servedQuery(useWorld(), requestId));
  if (servedMs === undefined) return <span>{formatMs(waitedMs)} round trip</span>;
  return <span title={`In the service; this window waited ${formatMs(waitedMs)}`}>{formatMs(servedMs)}</span>;
};
