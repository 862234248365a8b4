import { controlOperation } from "../operation.ts";
import { Uuid } from "../schema.ts";
import { byId, inWorld } from "./declaring.ts";
import { DeliveryRow, Subscription } from "./rows.ts";

export const subscriptionsPause = controlOperation({
  ...byId,
  id: "subscriptions.pause",
  inScenario: true,
  effect: "write",
  summary:
    "Sends nothing more to an address until it is resumed; what it would be notified of waits, visible as pending.",
  request: inWorld({ id: Uuid() }),
  response: Subscription,
});
export const subscriptionsResume = controlOperation({
  ...byId,
  id: "subscriptions.resume",
  inScenario: true,
  effect: "write",
  summary: "Goes on with what waits for an address, in order, as if it had not failed before.",
  request: inWorld({ id: Uuid() }),
  response: Subscription,
});

export const subscriptionsSendTest = controlOperation({
  ...byId,
  id: "subscriptions.send-test",
  inScenario: true,
  effect: "write",
  summary:
    "Sends a test event to one subscription: signed as any other, with the header x-sandbox-test-event. The job it names is the nil UUID, which no job has.",
  request: inWorld({ id: Uuid() }),
  response: DeliveryRow,
});

export const subscriptionOperations = [subscriptionsPause, subscriptionsResume, subscriptionsSendTest] as const;
