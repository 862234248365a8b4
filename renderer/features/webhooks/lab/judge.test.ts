import { describe, expect, it } from "vitest";
import { bytesFromText } from "../../../lib/bytes.ts";
import { explainSignature } from "./explain-signature.ts";
import { stampFinding } from "./findings.ts";
import { halfHoursOff, isWithinWindow, judge, parseStamp, readHeader, readStamp } from "./judge.ts";
import { BODY, ENVELOPE, OTHER_SECRET, SECRET, STAMPED_AT, signed } from "./lab-fixture.ts";

const judged = async (asked: { body?: Uint8Array; header?: string; secret?: string; now?: number }) => {
  const { body = BODY, secret = SECRET, now = STAMPED_AT + 6 } = asked;
  const header = readHeader(asked.header ?? (await signed(body)));
  const value = header.kind === "found" || header.kind === "misnamed" ? header.value : null;
  const explained = value === null ? null : await explainSignature({ body, value, secret, others: [], sent: [] });
  return judge(header, explained, readStamp(body), now);
};
const verdicts = async (asked: Parameters<typeof judged>[0]) => (await judged(asked)).map(({ verdict }) => verdict);
const [P, F, S] = ["passed", "failed", "skipped"];
const MINUTE = 60_000;

describe("the four steps of a verification", () => {
  it("pass one after the other for a notification as the service sends it", async () => {
    expect(await judged({})).toEqual([
      { step: "header_present", verdict: P, detail: "present" },
      { step: "signature_matches", verdict: P, detail: "equal, 32 bytes" },
      { step: "timestamp_parses", verdict: P, detail: "valid" },
      { step: "within_window", verdict: P, detail: "6 ms difference" },
    ]);
  });

  it("stop at the first that fails, in the contract's order", async () => {
    const noStamp = bytesFromText(JSON.stringify({ ...ENVELOPE, webhook_timestamp: "not a time" }));
    expect(await verdicts({ header: "" })).toEqual([F, S, S, S]);
    expect(await verdicts({ header: `x-signature: ${await signed()}` })).toEqual([F, S, S, S]);
    expect(await verdicts({ secret: OTHER_SECRET })).toEqual([P, F, S, S]);
    expect(await verdicts({ body: noStamp })).toEqual([P, P, F, S]);
    expect(await verdicts({ now: STAMPED_AT + 6 * MINUTE })).toEqual([P, P, P, F]);
    expect(await verdicts({ now: STAMPED_AT - 6 * MINUTE })).toEqual([P, P, P, F]);
  });

  it("say of a step that is not reached what it would find", async () => {
    const steps = await judged({ header: "", now: STAMPED_AT + 6 * MINUTE });
    expect(steps.map(({ detail }) => detail)).toEqual([
      "the header is missing",
      "not reached; nothing to compare with",
      "not reached; would pass: valid",
      "not reached; would fail: 6 min old",
    ]);
  });

  it("leave open what cannot be checked: without a secret a signature is neither right nor wrong", () => {
    const steps = judge({ kind: "found", value: "AAAA" }, null, readStamp(BODY), STAMPED_AT);
    expect(steps.map(({ verdict, detail }) => [verdict, detail])).toEqual([
      [P, "present"],
      [S, "nothing to compare with"],
      [S, "not reached; would pass: valid"],
      [S, "not reached; would pass: 0 ms difference"],
    ]);
  });

  it("take exactly five minutes for fresh", async () => {
    for (const apart of [-5 * MINUTE, 5 * MINUTE])
      expect(await verdicts({ now: STAMPED_AT + apart })).toEqual([P, P, P, P]);
  });
});

describe("what is wrong with a stamp", () => {
  const finding = (value: unknown, now = STAMPED_AT) =>
    stampFinding(readStamp(bytesFromText(JSON.stringify({ webhook_timestamp: value }))), now);

  it("is nothing within the window", () => {
    expect(finding(ENVELOPE.webhook_timestamp, STAMPED_AT + 5 * MINUTE)).toBeNull();
  });

  it("is its form, said for each", () => {
    expect(finding(undefined)?.code).toBe("no_stamp");
    expect(finding(STAMPED_AT)?.code).toBe("stamp_number");
    expect(finding("2026-03-11T22:05:07.204")?.code).toBe("stamp_zone");
    expect(finding("yesterday")?.code).toBe("stamp_unreadable");
    expect(stampFinding(readStamp(bytesFromText('{"webhook_time":1}')), 0)?.sentence).toContain("webhook_time");
  });

  it("is its age, either way", () => {
    expect(finding(ENVELOPE.webhook_timestamp, STAMPED_AT + 6 * MINUTE)).toMatchObject({
      code: "stale",
      sentence: "The timestamp is 6 min before the verification time. 5 minutes are allowed.",
    });
    expect(finding(ENVELOPE.webhook_timestamp, STAMPED_AT - 6 * MINUTE)?.code).toBe("future");
  });

  it("is a zone that was lost, when it is off by hours and little else", () => {
    expect(finding(ENVELOPE.webhook_timestamp, STAMPED_AT + 600 * MINUTE + 3_000)?.mend).toMatch(
      /^The difference is almost exactly 10 hours/,
    );
    expect(finding(ENVELOPE.webhook_timestamp, STAMPED_AT - 60 * MINUTE)?.mend).toMatch(
      /^The difference is almost exactly 1 hour:/,
    );
  });
});

const NOW = Date.UTC(2026, 0, 15, 12);
const stamped = (value: unknown) => readStamp(bytesFromText(JSON.stringify({ webhook_timestamp: value })));

describe("the stamp of a body", () => {
  it("is a time of any zone and precision", () => {
    for (const text of [
      "2026-01-15T12:00:00Z",
      "2026-01-15T12:00:00.000Z",
      "2026-01-15T14:00:00+02:00",
      "2026-01-15T06:30:00.0000-0530",
      "2026-01-15T12:00Z",
    ])
      expect(stamped(text), text).toEqual({ kind: "time", at: NOW, text });
  });

  it("is not one when it is missing, and a field named almost like it is pointed out", () => {
    expect(readStamp(bytesFromText("{}"))).toEqual({ kind: "missing", near: null });
    expect(readStamp(bytesFromText('{"webhookTimestamp":"2026-01-15T12:00:00Z"}'))).toEqual({
      kind: "missing",
      near: "webhookTimestamp",
    });
    for (const text of ["", "no json", "null", '"text"']) expect(readStamp(bytesFromText(text)).kind).toBe("missing");
  });

  it("is told from a number, from a time without a zone, and from what is no time", () => {
    expect(stamped(NOW)).toEqual({ kind: "number", value: NOW });
    for (const text of ["2026-01-15T12:00:00", "2026-01-15 12:00:00.5", "2026-01-15"])
      expect(stamped(text), text).toEqual({ kind: "without_zone", text });
    for (const value of ["", "now", "not a time", "2026-13-45T12:00:00Z", null, true, ["2026-01-15T12:00:00Z"]])
      expect(stamped(value).kind, JSON.stringify(value)).toBe("no_time");
    expect(parseStamp("2026-01-15T12:00:00Z ")).toBeNull();
  });
});

describe("the window", () => {
  it("is five minutes either side, and not a millisecond more", () => {
    for (const sign of [-1, 1]) {
      expect(isWithinWindow(NOW, NOW + sign * 300_000)).toBe(true);
      expect(isWithinWindow(NOW, NOW + sign * 300_001)).toBe(false);
    }
  });

  it("knows a stamp that is off by a zone from one that is merely old", () => {
    const minute = 60_000;
    expect(halfHoursOff(NOW, NOW + 600 * minute)).toBe(20);
    expect(halfHoursOff(NOW, NOW - 120 * minute - 4_000)).toBe(-4);
    expect(halfHoursOff(NOW, NOW + 330 * minute + 2 * minute)).toBe(11);
    expect(halfHoursOff(NOW, NOW + 6 * minute)).toBeNull();
    expect(halfHoursOff(NOW, NOW + 45 * minute)).toBeNull();
    expect(halfHoursOff(NOW, NOW + 20 * 60 * minute)).toBeNull();
  });
});

const VALUE = "CFdFr1wFRkYxUwT0k8Zq1v5f3nYb7kQxU2mL9aPnHTc=";

describe("the signature in what was pasted", () => {
  it("is the value alone, or the value under the right name in any case", () => {
    for (const pasted of [
      VALUE,
      `  ${VALUE}\n`,
      `service-hmac-sha256: ${VALUE}`,
      `Service-Hmac-SHA256:${VALUE}`,
      `POST /hooks HTTP/1.1\r\nhost: 127.0.0.1:8787\r\nservice-hmac-sha256: ${VALUE}\r\ncontent-type: application/json`,
      `curl http://x \\\n  -H 'content-type: application/json' \\\n  -H 'service-hmac-sha256: ${VALUE}' \\`,
      `{\n  "host": "x",\n  "service-hmac-sha256": "${VALUE}",\n  "accept": "*/*"\n}`,
    ])
      expect(readHeader(pasted), pasted).toEqual({ kind: "found", value: VALUE });
  });

  it("is not there when nothing was pasted, or nothing stands behind the name", () => {
    for (const pasted of ["", " \n ", "service-hmac-sha256:", "service-hmac-sha256:   \nhost: x"])
      expect(readHeader(pasted), pasted).toEqual({ kind: "none" });
  });

  it("is found under another name, by the name or by its look", () => {
    expect(readHeader(`X-Hub-Signature-256: sha256=${VALUE}`)).toEqual({
      kind: "misnamed",
      name: "X-Hub-Signature-256",
      value: `sha256=${VALUE}`,
    });
    expect(readHeader(`host: x\nx-webhook: ${VALUE}`)).toEqual({ kind: "misnamed", name: "x-webhook", value: VALUE });
    expect(readHeader(`service_hmac_sha256: ${VALUE}`)).toMatchObject({
      kind: "misnamed",
      name: "service_hmac_sha256",
    });
  });

  it("is not taken from headers that are no signature, a key of the API least of all", () => {
    expect(readHeader("host: 127.0.0.1\ncontent-length: 430")).toEqual({
      kind: "others",
      names: ["host", "content-length"],
    });
    expect(readHeader("authorization: sbx_7d41f0b9c2e84a5396d8b7135fae0c21")).toMatchObject({ kind: "others" });
  });
});
