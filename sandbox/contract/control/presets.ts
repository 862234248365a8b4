import type { ReceiverBehaviour } from "./receiver-operations.ts";

/** Default behaviour of a new receiver. */
export const correctBehaviour: ReceiverBehaviour = {
  answer: "accept",
  status: 503,
  first: null,
  verify: true,
  deduplicate: true,
};
