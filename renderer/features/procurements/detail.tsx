import { IconArrowsExchange } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { procurementsPlace } from "../../../sandbox/contract/operations/partner.ts";
import { useLive } from "../../app/live/use-live.ts";
import { hasPlace, hrefs } from "../../app/places.ts";
import { usePageTitle } from "../../app/titles.ts";
import { useWorld } from "../../app/world.ts";
import { LinkButton } from "../../components/button.tsx";
import { NothingYet } from "../../components/empty.tsx";
import { Failing } from "../../components/failing.tsx";
import { TextLink } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { State } from "../../components/state.tsx";
import { Segmented } from "../../components/tabs.tsx";
import { Time } from "../../components/time.tsx";
import { announce } from "../../lib/announce.ts";
import { FieldsTab } from "./fields-tab.tsx";
import { JsonTab } from "./json-tab.tsx";
import { lastMove, type Transition, transitionOf } from "./last-transition.ts";
import { NextPanel } from "./next-panel.tsx";
import { movesQuery, procurementRowQuery, traceQuery } from "./queries.ts";
import { TraceTab } from "./trace-tab.tsx";
import { useTwoSides } from "./two-sides.ts";

const tabs = [
  { value: "fields", label: "Fields" },
  { value: "json", label: "JSON" },
  { value: "trace", label: "Trace" },
] as const;
type TabName = (typeof tabs)[number]["value"];

/** The newest transition that is on record, with what it changed; null when none is. */
const useTransition = (id: string): Transition | null => {
  const world = useWorld();
  const moves = useQuery(movesQuery(world, id));
  const move = lastMove(moves.data?.items ?? []);
  const trace = useQuery(traceQuery(world, move?.trace_id ?? null));
  return move && trace.data ? transitionOf(move, trace.data.changes, id) : null;
};

const statusIn = (state: unknown): string =>
  typeof state === "object" && state !== null && "status" in state ? String(state.status) : "changed";

/** Tells screen readers when another program moves what is on the screen. */
const useSpokenChanges = (id: string) =>
  useLive("state", (entries) => {
    for (const { data } of entries) {
      if (data.entity === "procurement" && data.id === id) announce(`${data.label} is now ${statusIn(data.after)}`);
    }
  });

const Head = ({ row, tab, onTab }: { row: ProcurementRow; tab: TabName; onTab: (tab: TabName) => void }) => {
  const moves = useQuery(movesQuery(useWorld(), row.id));
  const placing = moves.data?.items.find(
    (request) => request.operation === procurementsPlace.id && request.status === 200,
  );
  const job = row.job_number ?? row.job_id.slice(0, 8);
  return (
    <header className="procurements-head">
      <h2 className="t15">{row.reference ?? row.id.slice(0, 8)}</h2>
      <State of={row.status} pill />
      <span className="procurements-about t12 t2 el grow">
        for {hasPlace("jobs") ? <TextLink href={hrefs.job(row.job_id)}>{job}</TextLink> : job}, placed{" "}
        {placing ? (
          <>
            by <TextLink href={hrefs.procurement(row.id, "trace")}>trace {placing.trace_id.slice(0, 6)}</TextLink>
          </>
        ) : (
          <Time at={row.created_at} />
        )}
      </span>
      <Segmented label="View" options={tabs} value={tab} onChange={onTab} />
    </header>
  );
};

const TwoSided = ({ row, readAt, tab }: { row: ProcurementRow; readAt: number; tab: TabName }) => {
  const [, navigate] = useLocation();
  const sides = useTwoSides(row);
  const transition = useTransition(row.id);
  usePageTitle(row.reference ?? row.id.slice(0, 8), "Procurements");
  useSpokenChanges(row.id);
  return (
    <div className="procurements-frame">
      <div className="procurements-detail">
        <section className="procurements-main" aria-label={`Procurement ${row.reference ?? row.id}`}>
          <Head
            row={row}
            tab={tab}
            onTab={(next) => navigate(hrefs.procurement(row.id, next === "fields" ? undefined : next))}
          />
          {tab === "fields" && <FieldsTab row={row} sides={sides} transition={transition} />}
          {tab === "json" && <JsonTab row={row} sides={sides} transition={transition} />}
          {tab === "trace" && <TraceTab row={row} />}
        </section>
        <NextPanel row={row} sides={sides} transition={transition} readAt={readAt} />
      </div>
    </div>
  );
};

const NotThere = ({ id }: { id: string }) => {
  usePageTitle("Not found", "Procurements");
  return (
    <NothingYet
      icon={IconArrowsExchange}
      title="This world has no such procurement"
      actions={
        <LinkButton small href="/procurements">
          All procurements
        </LinkButton>
      }
    >
      No procurement has the id {id}. The world may have been reset, or the link belongs to another world.
    </NothingYet>
  );
};

/** One procurement as each side sees it, and what may happen to it next. */
export const ProcurementDetail = ({ id, tab }: { id: string; tab: string | undefined }) => {
  const { data: row, dataUpdatedAt, error, refetch } = useQuery(procurementRowQuery(useWorld(), id));
  if (row === null) return <NotThere id={id} />;
  if (row)
    return (
      <TwoSided row={row} readAt={dataUpdatedAt} tab={tabs.find(({ value }) => value === tab)?.value ?? "fields"} />
    );
  if (error) return <Failing what="The procurement" error={error} onRetry={() => void refetch()} />;
  return <Loading what="the procurement" rows={8} />;
};
