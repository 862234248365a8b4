import { hadBody, isBodyLeftOut } from "../../../../sandbox/contract/control/exchange-kinds.ts";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";

/** The part of a recorded call that decides whether it can be sent again. */
type Recorded = Pick<RequestDetail, "operation" | "unrouted" | "integration_id" | "request_headers" | "body_masked">;

/** The reason why a call can't be sent again, and whether it can be after an edit. */
export interface ReplayProblem {
  readonly reason: string;
  readonly isEditable: boolean;
}

/** Returns why the service would refuse to replay a call, judged by its record; null if it can be sent. */
export const replayProblem = (call: Recorded): ReplayProblem | null => {
  if (isBodyLeftOut(call) && hadBody(call))
    return {
      reason: "Can’t be sent again: pictures and answers to the consent page aren’t stored.",
      isEditable: false,
    };
  if (call.body_masked) return { reason: "To send it again, enter the masked secret in the body.", isEditable: true };
  if (call.unrouted && hadBody(call))
    return { reason: "Its body isn’t stored. To send it again, enter one.", isEditable: true };
  const hasKey = call.request_headers.some(([name]) => name === "authorization");
  return call.integration_id === null && hasKey && call.operation !== "integrations.insert"
    ? { reason: "Its key belongs to no integration here, and is masked. Send it as another caller.", isEditable: true }
    : null;
};
