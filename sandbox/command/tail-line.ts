import type { DeliveryRow, RequestRow } from "../contract/control/rows.ts";
import { terminalText as escaped, shortId } from "../contract/text.ts";
import { maskParameters } from "../secrets/masking.ts";

/** A call or a delivery of `sandbox tail`; `at` is real time. */
export type TailEntry =
  | { readonly kind: "request"; readonly at: string; readonly data: RequestRow }
  | { readonly kind: "delivery"; readonly at: string; readonly data: DeliveryRow };

/** Longest shown value in characters; a longer one would hide the rest of its line. */
const MAX_SHOWN_LENGTH = 160;
const shown = (text: string): string => {
  const masked = maskParameters(text);
  return escaped(masked.length > MAX_SHOWN_LENGTH ? `${masked.slice(0, MAX_SHOWN_LENGTH)}…` : masked);
};

const clock = (at: string): string => escaped(at.slice(11, 23));
type Caller = Pick<RequestRow, "side" | "integration_id" | "counterpart">;
const callerName = ({ side, integration_id, counterpart }: Caller): string => {
  if (counterpart !== undefined) return `counterpart ${shown(counterpart)}`;
  return `${side ?? "anonymous"}${integration_id === null ? "" : ` ${shortId(integration_id)}`}`;
};

const callLine = (call: RequestRow): readonly string[] => [
  "call    ",
  callerName(call).padEnd(20),
  shown(call.operation ?? `${call.method} ${call.path}`).padEnd(31),
  call.status === 0 ? "no response" : String(call.status),
  `${call.duration_ms.toFixed(1)} ms`,
  shown(call.outcome),
];

const responseText = ({ last_status, last_error, attempts_made }: DeliveryRow): string => {
  if (attempts_made === 0) return "no attempt yet";
  const statusText = last_status === null ? "no response" : `returned ${last_status}`;
  return `${statusText}${last_error === null ? "" : `: ${shown(last_error)}`}, attempt ${attempts_made}`;
};

const deliveryLine = (delivery: DeliveryRow): readonly string[] => [
  "delivery",
  callerName(delivery).padEnd(20),
  `${delivery.event_type} ${delivery.announces}`.padEnd(31),
  delivery.status,
  `(${responseText(delivery)})`,
  `${shown(delivery.label)} to ${shown(delivery.url)}`,
];

/** Formats a line for a person, with terminal control characters escaped and secrets masked. */
export const readableLine = (one: TailEntry): string =>
  [clock(one.at), ...(one.kind === "request" ? callLine(one.data) : deliveryLine(one.data))].join("  ").trimEnd();
