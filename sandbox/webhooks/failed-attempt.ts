import { findAttemptCause } from "../rules/worlds/activity.ts";
import type { NotedFailure } from "../storage/activity-log.ts";
import { findOrganizationName } from "../storage/stores.ts";
import type { World } from "../worlds/world.ts";
import type { FinishedAttempt } from "./record.ts";

export const toNotedFailure = (
  { name, stores }: World,
  { sent: { prepared, exchanged } }: FinishedAttempt,
): NotedFailure => {
  const { id, integration_id, side, event_type } = prepared.delivery;
  return {
    ...{ world: name, at: prepared.stampedAt, id, operation: event_type },
    failure: {
      kind: "delivery",
      cause: findAttemptCause(exchanged),
      status: exchanged.response_status ?? 0,
      ...{ integration_id, organization_name: findOrganizationName(stores, integration_id), side },
      ...{ user_agent: null, origin: "partner" },
    },
  };
};
