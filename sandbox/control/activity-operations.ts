import { setImmediate as othersFirst } from "node:timers/promises";
import { refuse } from "../contract/errors.ts";
import { nearestNames } from "../contract/nearest-names.ts";
import { type CountedFailures, FailureGroups, MINUTE_MS, parseSince, type Window } from "../rules/worlds/activity.ts";
import { ACTIVITY_MS } from "../storage/activity-store.ts";
import { realTime } from "../storage/real-time.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";
import { findStrays } from "./search-operations.ts";

/** Counts read before yielding to other work. */
const PAGE_ROWS = 1_000;

/** Groups the failures of a window. @param isAsked filter of counts */
const groupFailures = async (
  { activity, hungUp, maySee }: ControlContext,
  window: Window,
  world: string | null,
  isAsked: (row: CountedFailures) => boolean,
): Promise<FailureGroups> => {
  const groups = new FailureGroups(window, maySee);
  for (let after = 0; ; ) {
    const rows = await activity.rows({ world, from: window.from }, after, PAGE_ROWS);
    for (const row of rows) if (isAsked(row)) groups.add(row);
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < PAGE_ROWS) return groups;
    await othersFirst();
    hungUp.throwIfAborted();
  }
};

/** Failures of the worlds a token may see, and calls to unknown worlds. */
export const activityControls: readonly BoundControl[] = [
  control("activity.list", async (context, { since = "1h", world: requestedWorld, integration_id, user_agent }) => {
    const { activity, worlds, caller } = context;
    const own = caller.token?.world;
    if (requestedWorld !== undefined && own !== undefined && requestedWorld !== own)
      return refuse("forbidden", `This token only opens the world ${own}. Name that world.`);
    const to = realTime();
    const sinceMs = parseSince(since, to);
    if (sinceMs === null)
      return refuse(
        "bad_request",
        "/since must be a span such as 30m, 1h or 7d, or a time as RFC 3339 that has passed",
      );
    const existing = new Set((await worlds.listAll()).map(({ name }) => name));
    if (requestedWorld !== undefined && !existing.has(requestedWorld)) worlds.mustHave(requestedWorld);
    await activity.flush();
    const storedSince = Math.ceil(Math.max(to - ACTIVITY_MS, await activity.wholeSince()) / MINUTE_MS) * MINUTE_MS;
    const from = Math.max(Math.floor(sinceMs / MINUTE_MS) * MINUTE_MS, storedSince);
    const world = requestedWorld ?? own ?? null;
    const integration = integration_id?.toLowerCase();
    const isRequested = ({ world: name, failure }: CountedFailures): boolean =>
      // A recently deleted world may still have counts.
      existing.has(name) &&
      (integration === undefined || failure.integration_id === integration) &&
      (user_agent === undefined || failure.user_agent?.startsWith(user_agent) === true);
    const groups = await groupFailures(context, { from, to }, world, isRequested);
    const found = groups.done();
    if (!groups.isEmpty) return found;
    const before = await groupFailures(context, { from: storedSince, to }, world, isRequested);
    return { ...found, last_call: before.last };
  }),
  control("activity.strays", async ({ activity, worlds }, { search, limit = 100 }) => {
    const items = await findStrays(activity, search?.trim() ?? "", limit);
    const names = (await worlds.listAll()).map(({ name }) => name);
    const existing = new Set(names);
    return {
      items: items.map((call) => {
        const exists = existing.has(call.world);
        return { ...call, exists, nearest: exists ? [] : nearestNames(call.world, names) };
      }),
    };
  }),
];
