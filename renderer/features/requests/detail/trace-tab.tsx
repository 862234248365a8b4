import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../../app/world.ts";
import { DiffView } from "../../../components/diff-view.tsx";
import { Read } from "../../../components/read.tsx";
import { changeTitle } from "../../../domain/trace/change-words.ts";
import { type Trace, traceQuery } from "../../../domain/trace/queries.ts";
import { EventsAndDeliveries } from "../../../domain/trace/trace-chain.tsx";
import { plural } from "../../../lib/formatting.ts";
import styles from "./detail.module.css";
import { TimeLine } from "./time-line-view.tsx";

/** What a call changed, before and after, field by field. */
export const Changes = ({ changes }: Pick<Trace, "changes">) =>
  changes.length === 0 ? (
    <p className="t12 t3">Nothing was changed.</p>
  ) : (
    changes.map((change) => (
      <DiffView
        key={`${change.entity}:${change.id}`}
        title={changeTitle(change)}
        before={change.before}
        after={change.after}
      />
    ))
  );

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
            <section aria-label="What changed">
              <h3 className="h2">{plural(trace.changes.length, "change")}</h3>
              <Changes changes={trace.changes} />
            </section>
            <section aria-label="Events and their deliveries">
              <h3 className="h2">{plural(trace.events.length, "event")}</h3>
              {trace.events.length === 0 ? (
                <p className="t12 t3">No event, so nobody was told.</p>
              ) : (
                <EventsAndDeliveries trace={trace} />
              )}
            </section>
          </div>
        </>
      )}
    </Read>
  );
};
