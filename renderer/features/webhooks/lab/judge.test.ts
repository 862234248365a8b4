import { describe, expect, it } from "vitest";
import { bytesFromText } from "../../../lib/bytes.ts";
import { explainSignature } from "./explain-signature.ts";
import { judge } from "./judge.ts";
import { BODY, ENVELOPE, OTHER_SECRET, SECRET, STAMPED_AT, signed } from "./lab-fixture.ts";
import { readHeader } from "./pasted-header.ts";
import { readStamp } from "./stamp.ts";
import { stampFinding } from "./stamp-finding.ts";

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
      { step: "timestamp_parses", verdict: P, detail: "is a time" },
      { step: "within_window", verdict: P, detail: "6 ms apart" },
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
      "not reached; would pass: is a time",
      "not reached; would fail: 6 min old",
    ]);
  });

  it("leave open what cannot be checked: without a secret a signature is neither right nor wrong", () => {
    const steps = judge({ kind: "found", value: "AAAA" }, null, readStamp(BODY), STAMPED_AT);
    expect(steps.map(({ verdict, detail }) => [verdict, detail])).toEqual([
      [P, "present"],
      [S, "nothing to compare with"],
      [S, "not reached; would pass: is a time"],
      [S, "not reached; would pass: 0 ms apart"],
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
      sentence: "It was stamped 6 min before the moment it is judged at; five minutes are allowed.",
    });
    expect(finding(ENVELOPE.webhook_timestamp, STAMPED_AT - 6 * MINUTE)?.code).toBe("future");
  });

  it("is a zone that was lost, when it is off by hours and little else", () => {
    expect(finding(ENVELOPE.webhook_timestamp, STAMPED_AT + 600 * MINUTE + 3_000)?.mend).toMatch(/^That is 10 hours/);
    expect(finding(ENVELOPE.webhook_timestamp, STAMPED_AT - 60 * MINUTE)?.mend).toMatch(/^That is 1 hour almost/);
  });
});
