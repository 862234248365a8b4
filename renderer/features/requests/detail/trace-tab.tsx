import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../../app/world.ts";
import { Read } from "../../../components/read.tsx";
import { traceQuery } from "../../../domain/trace/queries.ts";
import { Changes, EventsAndDeliveries } from "../../../domain/trace/trace-chain.tsx";
import { plural } from "../../../lib/formatting.ts";
import styles from "./detail.module.css";
import { TimeLine } from "./time-line-view.tsx";

/** A trace as one time line, and below it what changed and who was told. */
export const TraceTab = ({ request }: { request: RequestRow }) => {
  const query = useQuery(traceQuery(useWorld(), request.trace_id));
  return (
    <Read of={query} what="the trace">
      {(trace) => (
        <>
          <div className={styles.trace}>
            <TimeLine trace={trace} request={request} />
          </div>
          <div className={styles.changes}>
            <section aria-label="Changes">
              <h3 className="h2">{plural(trace.changes.length, "change")}</h3>
              <Changes changes={trace.changes} />
            </section>
            <section aria-label="Events and deliveries">
              <h3 className="h2">{plural(trace.events.length, "event")}</h3>
              <EventsAndDeliveries trace={trace} />
            </section>
          </div>
        </>
      )}
    </Read>
  );
};
