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
export const periodWords: Readonly<Record<Period, string>> = {
  "1h": "in the last hour",
  "24h": "in the last 24 hours",
  "7d": "in the last 7 days",
};

/** What of all that went wrong is in sight; null leaves all of it. */
export const activityParams = searchParams({
  since: choice(["1h", "24h", "7d"], "1h"),
  of: textThat(isWorldName),
  who: id,
  agent: textThat((text) => text !== ""),
  /** `hidden`: what a fault answered, or a receiver that was set to fail, is left out. */
  expected: choice(["shown", "hidden"], "shown"),
  /** The kind of failure that is left. */
  only: choice(failureKinds),
  /** What is shown in a narrow window. */
  show: choice(["causes", "callers"], "causes"),
  /** The cause that is open, by {@link groupKey}. */
  open: textThat((text) => text !== ""),
});
export type ActivityFilter = ValuesOf<typeof activityParams>;

/** What happens in other worlds no feed of this window says. */
const READ_AGAIN_MS = 5_000;

/** @param world the window's, whose feed says when something went wrong in it */
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
    refetchInterval: READ_AGAIN_MS,
    placeholderData: keepPreviousData,
  });

/** What tells a cause from the others. */
export const groupKey = ({ kind, cause, status }: Pick<ActivityGroup, "kind" | "cause" | "status">): string =>
  [kind, cause ?? "none", status].join(".");

type Who = Pick<GroupCaller, "integration_id" | "user_agent" | "origin">;

/**
 * Just the calls that were counted for a cause in a world, or the deliveries of such attempts.
 *
 * @param caller left out: of all callers
 */
export const callsHref = (
  { kind, cause, status }: Pick<ActivityGroup, "kind" | "cause" | "status">,
  world: string,
  from: string,
  caller?: Who,
): string => {
  if (kind === "delivery") {
    const attempt = attemptCauses.find((one) => one === cause) ?? null;
    const answered = status === 0 ? null : String(status);
    return namingWorld(deliveriesHref({ attempt, answered, from, who: caller?.integration_id ?? null }), world);
  }
  const of = caller && { who: caller.integration_id ?? "none", agent: caller.user_agent, by: caller.origin };
  return namingWorld(requestsHref({ cause, status: String(status), from, ...of }), world);
};

/** The world in which all of a cause happened; null: it was several. */
export const onlyWorld = ({ callers, more_callers }: ActivityGroup): string | null => {
  const [first, ...others] = new Set(callers.map(({ world }) => world));
  return first !== undefined && others.length === 0 && more_callers === 0 ? first : null;
};

/** Where a call is, or the delivery of an attempt. */
export const lastHref = ({ kind, world, id }: LastFailure): string =>
  namingWorld(kind === "call" ? hrefs.request(id) : hrefs.delivery(id), world);

export const callerKey = ({ world, integration_id, user_agent, origin }: GroupCaller | ActivityCaller): string =>
  [world, integration_id, user_agent, origin].join(" ");
