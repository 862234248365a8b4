import { bytesFromText } from "../../../lib/bytes.ts";
import { hmac, toBase64 } from "../message/notification.ts";

/** A notification as the service sends it, and its secret. */
export const SECRET = "pwh_2d4f6a8c0e1b3d5f7a9c1e3b5d7f9a1c";
export const OTHER_SECRET = "pwh_ffeeddccbbaa99887766554433221100";
export const STAMPED_AT = Date.UTC(2026, 2, 11, 22, 5, 7, 204);
export const ENVELOPE = {
  message_id: "194a000c-d6ca-4d95-a6ab-2b301f5a49c0",
  event_timestamp: "2026-03-11T22:04:22.118Z",
  webhook_timestamp: "2026-03-11T22:05:07.204Z",
  event_type: "repairer.procurements",
  type: "integration_notification",
  version: "v1",
  integration_id: "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01",
  payload: {
    procurement_id: "173ad91b-b3db-4066-bddd-2745cbdf1d24",
    job_id: "ab7953c2-259b-4676-8de2-dd32487df2fb",
    status: "order_confirmed",
  },
};
export const BODY = bytesFromText(JSON.stringify(ENVELOPE));

export const signed = async (body: Uint8Array | string = BODY, secret = SECRET): Promise<string> =>
  toBase64(await hmac(bytesFromText(secret), typeof body === "string" ? bytesFromText(body) : body));
