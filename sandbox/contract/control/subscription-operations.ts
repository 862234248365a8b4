import { Uuid } from "../schema.ts";
import { act, inScenario, writeOne } from "./declaring.ts";
import { DeliveryRow, Subscription } from "./rows.ts";

const one = { id: Uuid() };

export const subscriptionsPause = writeOne(
  "subscriptions.pause",
  "Pauses a subscription. Its deliveries wait as pending until you resume it.",
  one,
  Subscription,
  { ...inScenario, ...act },
);
export const subscriptionsResume = writeOne(
  "subscriptions.resume",
  "Resumes a subscription. Waiting deliveries are sent in order, with their failures reset.",
  one,
  Subscription,
  { ...inScenario, ...act },
);
export const subscriptionsSendTest = writeOne(
  "subscriptions.send-test",
  "Sends a signed test event to one subscription, with the header x-sandbox-test-event. Its job ID is the nil UUID, which no job has.",
  one,
  DeliveryRow,
  { ...inScenario, ...act },
);

export const subscriptionOperations = [subscriptionsPause, subscriptionsResume, subscriptionsSendTest] as const;
