import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  ActivityCaller,
  ActivityGroup,
  GroupCaller,
  LastFailure,
} from "../../../sandbox/contract/control/activity-operations.ts";
import { attemptCauses, failureKinds } from "../../../sandbox/contract/control/words.ts";
import { deliveriesHref } from "../../domain/delivery/filter.ts";
import { requestsHref } from "../../domain/exchange/filter.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { choice, id, searchParams, textThat, type ValuesOf } from "../../lib/search-params.ts";
import { callControl } from "../../lib/service-client.ts";
import { namingWorld } from "../../lib/world-address.ts";
import { isWorldName } from "../../lib/world-name.ts";

export const periods = { "1h": "Last hour", "24h": "24 h", "7d": "7 days" } as const;
export type Period = keyof typeof periods;
export const periodLabels: Readonly<Record<Period, string>> = {
  "1h": "in the last hour",
  "24h": "in the last 24 hours",
  "7d": "in the last 7 days",
};

/** Filter of failures; null matches all. */
export const activityParams = searchParams({
  since: choice(["1h", "24h", "7d"], "1h"),
  of: textThat(isWorldName),
  who: id,
  agent: textThat((text) => text !== ""),
  /** `hidden` excludes deliberate failures: faults, and receivers set to fail. */
  expected: choice(["shown", "hidden"], "shown"),
  /** Shows only this kind of failure. */
  only: choice(failureKinds),
  /** Content of a narrow window. */
  show: choice(["causes", "callers"], "causes"),
  /** The open cause, by {@link groupKey}. */
  open: textThat((text) => text !== ""),
});
export type ActivityFilter = ValuesOf<typeof activityParams>;

/** Interval of reads, in milliseconds: this window's feed doesn't report other worlds. */
const REFETCH_MS = 5_000;

/** @param world the window's, whose feed reports failures in it */
export const activityQuery = (
  world: string,
  { since, of, who, agent }: Pick<ActivityFilter, "since" | "of" | "who" | "agent">,
) =>
  queryOptions({
    queryKey: worldKeys(world).activity(since, of, who, agent),
    queryFn: ({ signal }) =>
      callControl(
        "activity.list",
        {
          since,
          ...(of === null ? {} : { world: of }),
          ...(who === null ? {} : { integration_id: who }),
          ...(agent === null ? {} : { user_agent: agent }),
        },
        { signal },
      ),
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  });

/** Identifies a cause. */
export const groupKey = ({ kind, cause, status }: Pick<ActivityGroup, "kind" | "cause" | "status">): string =>
  [kind, cause ?? "none", status].join(".");

/**
 * Address of a cause's counted calls in a world, or of the deliveries of such attempts; of the only one itself.
 * @param caller default: all callers
 */
export const callsHref = (
  { kind, cause, status }: Pick<ActivityGroup, "kind" | "cause" | "status">,
  world: string,
  from: string,
  caller?: GroupCaller,
): string => {
  if (caller?.count === 1) return lastHref(caller.last_call);
  if (kind === "delivery") {
    const attempt = attemptCauses.find((one) => one === cause) ?? null;
    const responseStatus = status === 0 ? null : String(status);
    return namingWorld(
      deliveriesHref({ attempt, answered: responseStatus, from, who: caller?.integration_id ?? null }),
      world,
    );
  }
  const of = caller && { who: caller.integration_id ?? "none", agent: caller.user_agent, by: caller.origin };
  return namingWorld(requestsHref({ cause, status: String(status), from, ...of }), world);
};

/** Returns the only world of a cause; null for several. */
export const onlyWorld = ({ callers, more_callers }: ActivityGroup): string | null => {
  const [first, ...others] = new Set(callers.map(({ world }) => world));
  return first !== undefined && others.length === 0 && more_callers === 0 ? first : null;
};

/** Address of a call, or of an attempt's delivery. */
export const lastHref = ({ kind, world, id }: LastFailure): string =>
  namingWorld(kind === "call" ? hrefs.request(id) : hrefs.delivery(id), world);

export const callerKey = ({ world, integration_id, user_agent, origin }: GroupCaller | ActivityCaller): string =>
  [world, integration_id, user_agent, origin].join(" ");
