import { randomUUID } from "node:crypto";
import { Pool } from "undici";
import { envelopeOf, notificationHeaders } from "../../rules/notification.ts";
import { signBody } from "../../rules/webhook-signature.ts";
import { answerCalls } from "../processes/answering.ts";

export interface SendOrder {
  readonly port: number;
  readonly path: string;
  readonly inFlight: number;
  readonly warmupMs: number;
  readonly measureMs: number;
}

const event = {
  event_type: "repairer.jobs",
  event_timestamp: Date.now(),
  payload: { job_id: randomUUID(), change_action: "inserted" },
} as const;
const body = Buffer.from(
  JSON.stringify(envelopeOf(event, { message_id: randomUUID(), integration_id: randomUUID() }, Date.now())),
);
const headers = notificationHeaders(body, signBody(body, "pwh_a-secret-of-nobody")).flat();

/** As little as a sender of notifications can do: one signed body, again and again, nothing kept. */
const send = async ({ port, path, inFlight, warmupMs, measureMs }: SendOrder): Promise<number> => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: inFlight, pipelining: 1 });
  const countFrom = performance.now() + warmupMs;
  const until = countFrom + measureMs;
  let counted = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const { statusCode, body: answer } = await pool.request({ method: "POST", path, headers, body });
      await answer.text();
      if (statusCode !== 200) throw new Error(`The receiver answered ${statusCode}.`);
      const at = performance.now();
      if (at >= until) return;
      if (at >= countFrom) counted += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  await pool.close();
  return (counted / measureMs) * 1_000;
};

const calls = { send };
export type BareSenderCalls = typeof calls;

answerCalls(calls);
