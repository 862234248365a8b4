import { EmptyState, SegmentedControl } from "@mantine/core";
import { IconCircleCheck, IconFilter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Activity, ActivityCaller } from "../../../sandbox/contract/control/activity-operations.ts";
import type { FailureKind } from "../../../sandbox/contract/control/words.ts";
import { shortId } from "../../../sandbox/contract/text.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { FilterSelect, withChosen } from "../../components/filter-select.tsx";
import { Read } from "../../components/read.tsx";
import { PlaceHead } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { worldsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatCount, plural } from "../../lib/formatting.ts";
import { useKeptSearchParamsOf } from "../../lib/search-params.ts";
import { worldAccess } from "../../lib/world-access.ts";
import styles from "./activity.module.css";
import { Callers } from "./callers.tsx";
import { Causes } from "./causes.tsx";
import { Chart } from "./chart.tsx";
import {
  type ActivityFilter,
  activityParams,
  activityQuery,
  lastHref,
  type Period,
  periodLabels,
  periods,
} from "./queries.ts";
import { StraysDialog, StraysLink } from "./strays.tsx";

interface Narrowing {
  readonly filter: ActivityFilter;
  readonly narrow: (change: Partial<ActivityFilter>) => void;
}

const plain = (values: Iterable<string | null>) =>
  [...new Set(values)]
    .flatMap((value) => (value === null ? [] : [{ value, label: value }]))
    .toSorted((one, other) => one.label.localeCompare(other.label));

const listIntegrations = (callers: readonly ActivityCaller[]) => {
  const names = new Map(callers.map(({ integration_id: id, organization_name: name }) => [id, name]));
  return [...names].flatMap(([id, name]) =>
    id === null ? [] : [{ value: id, label: `${name ?? "Integration"} ${shortId(id)}` }],
  );
};

/** Filters: integrations and programs with failures in the period, and all worlds. */
const Filters = ({ filter, narrow }: Narrowing) => {
  const { since, of, who, agent } = filter;
  const everything = activityQuery(useWorld(), { since, of: null, who: null, agent: null });
  const { data } = useQuery({ ...everything, refetchInterval: false });
  const callers = data?.callers ?? [];
  const worlds = useQuery(worldsQuery()).data ?? [];
  return (
    <>
      <FilterSelect
        name="Integration"
        any="All integrations"
        value={who}
        options={withChosen(listIntegrations(callers), who, who && shortId(who))}
        onChange={(next) => narrow({ who: next })}
      />
      <FilterSelect
        name="User agent"
        any="All user agents"
        value={agent}
        options={withChosen(plain(callers.map(({ user_agent }) => user_agent)), agent)}
        onChange={(next) => narrow({ agent: next })}
      />
      {worldAccess() === null && (
        <FilterSelect
          name="World"
          any="All worlds"
          value={of}
          options={withChosen(plain(worlds.map(({ name }) => name)), of)}
          onChange={(next) => narrow({ of: next })}
        />
      )}
      <SegmentedControl
        aria-label="Period"
        data={Object.entries(periods).map(([value, label]) => ({ value, label }))}
        value={since}
        onChange={(next) => narrow({ since: next as Period })}
      />
    </>
  );
};

const ALL = { of: null, who: null, agent: null, only: null };
const isNarrowed = (filter: ActivityFilter): boolean =>
  Object.keys(ALL).some((name) => filter[name as keyof typeof ALL] !== null);

/** The empty state: the reason, and where to look next. */
const NoFailures = ({ of: { last_call }, filter, narrow }: Narrowing & { of: Activity }) => {
  const { since } = filter;
  const isFiltered = isNarrowed(filter);
  const wider = since === "1h" ? "24h" : "7d";
  return (
    <div className={styles.calm}>
      <EmptyState
        icon={isFiltered ? <IconFilter /> : <IconCircleCheck />}
        title={`Nothing went wrong ${periodLabels[since]}`}
        description={
          <>
            {isFiltered
              ? "No failure matches the filter."
              : "Refused calls and failed deliveries appear here, grouped by cause."}
            {last_call !== null && (
              <>
                <br />
                Last failure: <Time at={last_call.at} on="real" /> in {last_call.world}
              </>
            )}
          </>
        }
      >
        <EmptyState.Actions>
          {isFiltered && (
            <Button small onClick={() => narrow(ALL)}>
              Clear filter
            </Button>
          )}
          {since !== "7d" && (
            <Button small onClick={() => narrow({ since: wider })}>
              Show {periods[wider]}
            </Button>
          )}
          {last_call !== null && (
            <LinkButton small look="quiet" href={lastHref(last_call)}>
              Open the last failure
            </LinkButton>
          )}
        </EmptyState.Actions>
      </EmptyState>
    </div>
  );
};

const views = [
  { value: "causes", label: "Causes" },
  { value: "callers", label: "Callers" },
];

/** The count of a kind; a press filters by it, another press removes the filter. */
const KindCount = ({ kind, count, filter, narrow }: Narrowing & { kind: FailureKind; count: number }) => {
  if (count === 0) return null;
  const isOnly = filter.only === kind;
  return (
    <button
      type="button"
      className={`lnk ${kind === "call" ? styles.ofCalls : styles.ofAttempts}`}
      aria-pressed={isOnly}
      title={isOnly ? "Show all failures" : "Show only these"}
      onClick={() => narrow({ only: isOnly ? null : kind })}
    >
      {plural(count, kind === "call" ? "refused call" : "failed delivery attempt")}
    </button>
  );
};

const Found = ({ of, isOld, filter, narrow }: Narrowing & { of: Activity; isOld: boolean }) => {
  const hidesExpected = filter.expected === "hidden";
  const counted = of.items.filter(({ expected }) => !(expected && hidesExpected));
  const groups = counted.filter(({ kind }) => filter.only === null || kind === filter.only);
  const countOf = (kind: FailureKind): number =>
    counted.reduce((sum, group) => sum + (group.kind === kind ? group.count : 0), 0);
  const [calls, attempts] = [countOf("call"), countOf("delivery")];
  return (
    <>
      <div className={styles.sum} data-old={isOld || undefined}>
        <div role="status">
          <div className={styles.big}>{plural(calls + attempts, "failure")}</div>
          <div className={styles.sub}>
            <KindCount kind="call" count={calls} filter={filter} narrow={narrow} />
            <KindCount kind="delivery" count={attempts} filter={filter} narrow={narrow} />
            {of.expected > 0 && (
              <span>
                {formatCount(of.expected)} expected{hidesExpected ? ", hidden" : ""}
              </span>
            )}
            {worldAccess() === null && <StraysLink />}
            {of.items.length > 0 && isNarrowed(filter) && (
              <button type="button" className="lnk" onClick={() => narrow(ALL)}>
                Clear filter
              </button>
            )}
          </div>
        </div>
        <Chart of={of} groups={groups} />
      </div>
      {of.items.length === 0 ? (
        <NoFailures of={of} filter={filter} narrow={narrow} />
      ) : (
        <>
          <SegmentedControl
            className={styles.views}
            aria-label="Show"
            data={views}
            value={filter.show}
            onChange={(next) => narrow({ show: next as ActivityFilter["show"] })}
          />
          <div className={styles.two} data-show={filter.show}>
            <Causes groups={groups} from={of.from} filter={filter} narrow={narrow} anyExpected={of.expected > 0} />
            <Callers callers={of.callers} more={of.more_callers} hidesExpected={hidesExpected} narrow={narrow} />
          </div>
        </>
      )}
    </>
  );
};

/** The number of worlds that this window may see. */
const Scope = () => {
  const { data } = useQuery(worldsQuery());
  const confined = worldAccess();
  if (confined !== null) return `World ${confined.world}`;
  return data === undefined ? null : plural(data.length, "world");
};

/** Failures in all worlds of the service, by cause. */
export const Place = () => {
  const world = useWorld();
  const { values: filter, change: narrow } = useKeptSearchParamsOf(activityParams, "activity");
  const found = useQuery(activityQuery(world, filter));
  return (
    <div className={`place ${styles.place}`}>
      <PlaceHead title="Activity" note={<Scope />}>
        <Filters filter={filter} narrow={narrow} />
      </PlaceHead>
      <Read of={found} what="what went wrong" rows={6}>
        {(data) => <Found of={data} isOld={found.isPlaceholderData} filter={filter} narrow={narrow} />}
      </Read>
      <StraysDialog />
    </div>
  );
};
