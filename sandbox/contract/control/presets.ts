import type { ReceiverBehaviour } from "./receiver-operations.ts";

/** How a new receiver behaves. */
export const correctBehaviour: ReceiverBehaviour = {
  answer: "accept",
  status: 503,
  first: null,
  verify: true,
  deduplicate: true,
};
