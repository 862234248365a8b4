import { webhookCalls } from "../contract/control/fault-rows.ts";
import type { RequestRow } from "../contract/control/rows.ts";
import { nearestNames } from "../contract/nearest-names.ts";
import { pathOf } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";

/** Of all that partners call. */
const addresses = [
  ...partnerOperations.map(pathOf),
  ...webhookCalls.map((id) => `/__${id.replace(".", "/")}`),
  "/__webhooks/sink",
];

/** The addresses that a call to none may have meant. */
export const didYouMean = ({ unrouted, path }: Pick<RequestRow, "unrouted" | "path">): string[] =>
  unrouted === "unknown_operation" || unrouted === "unknown_path" ? nearestNames(path, addresses) : [];
