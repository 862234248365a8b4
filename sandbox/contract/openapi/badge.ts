import type { Origin } from "../operation.ts";
import type { Plain } from "./json-schema.ts";

/** Where a behaviour comes from, and the decisions it rests on, as they stand in the document. */
export const badge = (origin: Origin, decisions: readonly string[] = []): Plain => ({
  "x-origin": origin,
  ...(decisions.length > 0 ? { "x-decisions": [...decisions] } : {}),
});

/** The badge of what the contract says as far as it goes: an assumption where a decision completes it. */
export const badgeOf = (decisions: readonly string[]): Plain =>
  badge(decisions.length > 0 ? "assumption" : "contract", decisions);
