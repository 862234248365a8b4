import fc from "fast-check";
import { expect, test } from "vitest";
import type { RequestDetail } from "../sandbox/contract/control/rows.ts";
import { readCalls } from "./features/console/read-calls.ts";
import { createHar } from "./features/requests/export/har.ts";
import { bytesFromText } from "./lib/bytes.ts";

const origin = "http://127.0.0.1:4026";
const text = fc.string({ unit: "binary" }).filter((one) => one.isWellFormed());
const call = fc.record({
  method: fc.constantFrom("POST", "GET"),
  path: fc.webPath().map((path) => `/${path}`),
  request_headers: fc.array(fc.tuple(fc.constantFrom("accept", "authorization", "x-a"), text), { maxLength: 4 }),
  body: text,
});

test("an exported HAR imports as the same calls, whatever they contain", () =>
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), (kept) => {
      const details = kept.map(({ body, ...sent }, index) => {
        const bytes = bytesFromText(body);
        const detail: Partial<RequestDetail> = {
          ...sent,
          id: String(index),
          at: new Date(index).toISOString(),
          request_bytes: bytes.length,
          request_body_base64: btoa(String.fromCharCode(...bytes)),
          response_headers: [],
          response_body_base64: "",
          response_bytes: 0,
        };
        return detail as RequestDetail;
      });
      expect(readCalls(JSON.stringify(createHar(details, origin, "1")))).toEqual({
        format: "HAR",
        calls: kept.map(({ method, path, request_headers, body }) => ({
          ...{ method, url: new URL(origin + path).href },
          ...{ headers: request_headers, body, leftOut: [] },
        })),
        leftOut: [],
      });
    }),
  ));
