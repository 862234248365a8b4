import { queryOptions } from "@tanstack/react-query";
import type { worldLifecycle } from "../../../sandbox/contract/control/world-operations.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";
import { STORY_SCENARIO } from "../../kernel/addresses/hrefs.ts";
import { serviceKeys, worldKeys } from "../../kernel/queries/query-keys.ts";
import { controlQuery } from "../../lib/control-query.ts";
import { fieldIn } from "../../lib/field-in.ts";
import { homeWorld } from "../../lib/world-access.ts";

export type Lifecycle = ResponseOf<typeof worldLifecycle>;

/** Counts of the last hour and of today become stale after this time even without a change, in milliseconds. */
const AGES_AFTER_MS = 60_000;

/** Counts of the map. Read again after every change, and regularly while anything in them ages. */
export const lifecycleQuery = (world: string) =>
  queryOptions({
    ...controlQuery(worldKeys(world).summary("lifecycle"), "world.lifecycle", {
      world,
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
    refetchInterval: ({ state: { data } }) =>
      data && data.confirmed_last_hour.total + data.baskets_today.total > 0 ? AGES_AFTER_MS : false,
  });

/** The number of sentences in its steps, which the player shows. Requested without a world (D82). */
export const sentenceCountQuery = () =>
  queryOptions({
    ...controlQuery([...serviceKeys.scenarios, STORY_SCENARIO], "scenarios.get", {
      world: homeWorld(),
      name: STORY_SCENARIO,
    }),
    select: ({ scenario }) => {
      const steps = fieldIn(scenario, "steps");
      return Array.isArray(steps) ? steps.filter((step: unknown) => fieldIn(step, "say") !== undefined).length : 0;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
