import { Uuid } from "../schema.ts";
import { inScenario, writeOne } from "./declaring.ts";
import { DeliveryRow, Subscription } from "./rows.ts";

const one = { id: Uuid() };

export const subscriptionsPause = writeOne(
  "subscriptions.pause",
  "Sends nothing more to an address until it is resumed; what it would be notified of waits, visible as pending.",
  one,
  Subscription,
  inScenario,
);
export const subscriptionsResume = writeOne(
  "subscriptions.resume",
  "Goes on with what waits for an address, in order, as if it had not failed before.",
  one,
  Subscription,
  inScenario,
);
export const subscriptionsSendTest = writeOne(
  "subscriptions.send-test",
  "Sends a test event to one subscription: signed as any other, with the header x-sandbox-test-event. The job it names is the nil UUID, which no job has.",
  one,
  DeliveryRow,
  inScenario,
);

export const subscriptionOperations = [subscriptionsPause, subscriptionsResume, subscriptionsSendTest] as const;
