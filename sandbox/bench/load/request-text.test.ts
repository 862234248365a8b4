import { describe, expect, it } from "vitest";
import { NUMBER, NumberedRequest, numberText, requestText } from "./request-text.ts";

const text = requestText({
  port: 4026,
  path: "/api/2026-01/repairer.jobs.insert",
  headers: { authorization: "Bearer sbx", "x-sandbox-tenant": `w-${NUMBER}` },
  body: { identity: { external: `Ä-${NUMBER}` }, job_number: NUMBER },
});

describe("numbered requests", () => {
  it("are whole HTTP/1.1 requests whose length counts bytes", () => {
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(head.split("\r\n")).toEqual([
      "POST /api/2026-01/repairer.jobs.insert HTTP/1.1",
      "host: 127.0.0.1:4026",
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      "authorization: Bearer sbx",
      `x-sandbox-tenant: w-${NUMBER}`,
    ]);
  });

  it("carry their number at every place, in headers and body, without a change of length", () => {
    const request = new NumberedRequest(text);
    const { length } = request.bytes;
    for (const number of [0, 7, 1_234_567_890]) {
      request.setNumber(number);
      expect(request.bytes.toString()).toBe(text.replaceAll(NUMBER, numberText(number)));
      expect(request.bytes.length).toBe(length);
    }
  });
});
