import type { ReceiverBehaviour } from "./receiver-rows.ts";

/** A new receiver's behaviour: that of a correct consumer. */
export const correctBehaviour: ReceiverBehaviour = {
  answer: "accept",
  status: 503,
  first: null,
  verify: true,
  deduplicate: true,
};
