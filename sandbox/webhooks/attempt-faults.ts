import type { FaultError } from "../contract/control/fault-rows.ts";
import { errorOfAttempt } from "../rules/fault-words.ts";
import type { DeliveryRecord } from "../storage/delivery-records.ts";
import { type Firing, type Met, markOf } from "../worlds/faults.ts";
import type { World } from "../worlds/world.ts";
import type { Prepared } from "./prepare.ts";
import type { Sent } from "./send.ts";

/** Counts an attempt against the faults of its world; null where it meets none. */
export const meetFaults = (world: World, { id, integration_id, event, attempts_made }: DeliveryRecord): Met | null =>
  world.faults.meet(
    { attempt: { delivery_id: id, event_type: event.event_type, number: attempts_made + 1 }, integration_id },
    event.trace_id,
  );

/** How long the faults hold an attempt before it is sent, in milliseconds. */
export const delayOf = ({ before }: Met): number =>
  before.reduce((sum, { fault }) => sum + (fault.effect.delay?.ms ?? 0), 0);

const answered = ({ status, body }: FaultError): Pick<Sent, "status" | "headers" | "body"> => ({
  status: status ?? null,
  headers: body === undefined ? [] : [["content-type", "application/json"]],
  body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
});

/** What an attempt comes to where a fault answers instead of the receiver, or loses its answer. */
const endedBy = ({ fault }: Firing, prepared: Prepared, durationMs: number): Sent => ({
  ...{ prepared, durationMs, status: null, headers: [], body: Buffer.alloc(0) },
  ...(fault.effect.error ? answered(fault.effect.error) : {}),
  ...{ truncated: false, acknowledged: false, overdue: false },
  error: errorOfAttempt(fault.effect),
});

/** Sends a notification as far as the faults it met let it; those that delay it have done so by now. */
export const sendThrough = async (
  { before, after }: Met,
  prepared: Prepared,
  send: (prepared: Prepared) => Promise<Sent>,
): Promise<Sent> => {
  const faults = [...before, ...after].map(markOf);
  const instead = before.find(({ fault }) => fault.effect.delay === undefined);
  if (instead) return { ...endedBy(instead, prepared, 0), faults };
  const sent = await send(prepared);
  const [lost] = after;
  // Without an answer there is none to lose.
  return lost && sent.status !== null
    ? { ...endedBy(lost, sent.prepared, sent.durationMs), faults }
    : { ...sent, faults };
};
