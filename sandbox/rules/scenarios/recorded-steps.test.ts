import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Step } from "../../contract/scenario.ts";
import { type Act, PICTURES_NOTE, type RecordedCall, recordSteps } from "./recorded-steps.ts";
import { findDifference } from "./scenario-match.ts";
import { resolve } from "./scenario-references.ts";

const BASE = "http://127.0.0.1:4026";
const known = new Map<string, unknown>([["service", { base_url: BASE }]]);

const resolved = (json: unknown): unknown => {
  const found = resolve(json, known);
  if ("problem" in found) throw new Error(found.problem);
  return found.value;
};

/** Texts with special parts: timestamps, masks, addresses, and lookalikes of references. */
const piece = fc.oneof(
  fc.uuid(),
  fc.constantFrom("sbx_••••••••0c21", "{{", "}}", `${BASE}/x?expires=12&world=a`, "$is", ".*+?^$()[]|\\/"),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
  fc.string({ unit: "grapheme", maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom("id", "$is", "$matches"), fc.string({ maxLength: 5 })), tie("json"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
}));

const call = (more: Partial<RecordedCall> = {}): RecordedCall => ({
  ...{ id: "01923456-789a-4bcd-8ef0-123456789abc", method: "POST", path: "/api/2026-01/repairer.jobs.get" },
  ...{ operation: "repairer.jobs.get", unrouted: null, caller: null, status: 404, request_headers: [] },
  ...{ body: Buffer.from("{}"), answer: Buffer.from('{"type":"not_found"}'), picked: true, decision: null },
  ...{ grant: null, clientSecret: null, notifications: new Map() },
  ...more,
});
const made = (acts: readonly Act[], from: number | null = 0) => recordSteps(acts, BASE, from);
const first = (more: Partial<RecordedCall>): Step | undefined => made([{ at: 0, call: call(more) }]).steps[0];
const seconds = ({ control }: Step): unknown => (control?.body as { seconds?: number } | undefined)?.seconds;

describe("a recorded step", () => {
  it("accepts its own recorded response", () => {
    fc.assert(
      fc.property(json, (answer) => {
        const step = first({ answer: Buffer.from(JSON.stringify(answer)) });
        const { body } = step?.call ? (step.expect ?? {}) : {};
        expect(findDifference(resolved(body), answer)).toBeNull();
        expect(step?.came?.body).toEqual(answer);
      }),
      { numRuns: 1_000 },
    );
  });

  it("expects returned IDs, but no times and no addresses of this service", () => {
    const answer = {
      id: "a",
      at: "2026-01-01T00:00:00.000Z",
      url: `${BASE}/x`,
      key: "isk_••••••••abcd",
      odd: { $is: 1 },
    };
    expect(first({ status: 200, answer: Buffer.from(JSON.stringify(answer)) })).toMatchObject({
      expect: {
        status: 200,
        body: {
          id: "a",
          at: { $is: "timestamp" },
          url: { $is: "string" },
          key: { $is: "string" },
          odd: { $is: "object" },
        },
      },
    });
  });

  it("sends the original bytes, whatever they are", () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('{"a":1.0}', '{"a":1,"a":2}', '{"n":12345678901234567890}', "\ufeff{}", "{", "{{x.y}}", "[1]", "")
        .map((one) => Buffer.from(one)),
      fc.json({ stringUnit: "grapheme" }).map((one) => Buffer.from(one)),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        const sent = resolved(first({ body })?.call) as { text?: string; base64?: string; body?: object };
        if (sent.base64 !== undefined) expect(Buffer.from(sent.base64, "base64")).toEqual(body);
        else if (sent.text !== undefined) expect(Buffer.from(sent.text)).toEqual(body);
        else expect(sent.body).toEqual(JSON.parse(body.toString()));
      }),
      { numRuns: 500 },
    );
  });

  it("stores a deeply nested body as text", () => {
    const deep = `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`;
    const step = first({ body: Buffer.from(deep), answer: Buffer.from(deep) });
    expect(step?.call).toMatchObject({ text: deep });
    expect(step?.came?.body).toBe(deep);
    expect(first({ answer: Buffer.from("plain") })?.came?.body).toBe("plain");
  });

  it("uses the credentials of its caller, or the sent headers if those are unknown", () => {
    const request_headers: RecordedCall["request_headers"] = [["Authorization", "Bearer isk_••••••••ffff"]];
    const credentials = { integration_id: "22222222-2222-4222-8222-222222222222" };
    expect(first({ request_headers, caller: { credentials } })?.call).toEqual({
      ...{ operation: "repairer.jobs.get", credentials, body: {} },
    });
    expect(first({ request_headers })?.call).toMatchObject({ headers: { authorization: "Bearer isk_xxxxxxxxffff" } });
  });

  it("of an installation gets a new code and the secret of the run's client", () => {
    const grant = { client_id: "c", organization_id: "o", scope: "repairer" };
    const { steps } = made([
      {
        at: 0,
        call: call({
          ...{ operation: "integrations.insert", path: "/api/2026-01/integrations.insert", status: 200, grant },
          clientSecret: "{{client.client_secret}}",
          body: Buffer.from('{"client_id": "c", "client_secret": "cs_••••••••a", "access_code": "ac_••••••••b"}'),
        }),
      },
    ]);
    expect(steps).toMatchObject([
      { save: "code1", control: { operation: "access-codes.issue", body: grant } },
      {
        call: {
          body: { client_id: "c", client_secret: "{{client.client_secret}}", access_code: "{{code1.access_code}}" },
        },
      },
    ]);
    const install = {
      operation: "integrations.insert",
      body: Buffer.from('{"client_secret": "x", "access_code": "y"}'),
    };
    const bodies = [{ grant }, { clientSecret: "z" }].map((more) =>
      made([{ at: 0, call: call({ ...install, ...more }) }]),
    );
    expect(bodies.map(({ steps }) => steps.at(-1)?.call?.body)).toEqual([
      { client_secret: "x", access_code: "{{code1.access_code}}" },
      { client_secret: "z", access_code: "y" },
    ]);
  });
});

describe("recorded steps", () => {
  it("advance the clock by gaps of a minute or more", () => {
    const { steps } = made([59_999, 119_999, 3_720_499].map((at) => ({ at, call: call() })));
    expect(steps.map((step) => (step.call ? "call" : seconds(step)))).toEqual(["call", 60, "call", 3_600, "call"]);
    // A draft begins with its first call.
    expect(made([{ at: 1e12, call: call() }], null).steps).toHaveLength(1);
  });

  it("expect no response if there was none, and note calls that can't be repeated", () => {
    const { steps, notes } = made([
      { at: 0, call: call({ status: 0, answer: Buffer.alloc(0) }) },
      { at: 0, call: call({ id: "one", method: "BREW" }) },
      { at: 0, call: call({ id: "two", unrouted: "too_large" }) },
      { at: 0, call: call({ id: "three", path: "*" }) },
      { at: 0, note: "this and that" },
      { at: 0, note: "this and that" },
    ]);
    expect(steps).toMatchObject([{ expect: { no_answer: true }, came: { status: null } }]);
    expect(notes).toEqual([
      "Left out: a call with BREW (one).",
      "Left out: a body that was too large to be kept (two).",
      "Left out: an address that cannot be written (three).",
      "This and that.",
    ]);
  });

  it("note missing pictures, and mark steps that only prepare others", () => {
    const upload = { operation: "uploads.prepare", path: "/api/2026-01/uploads.prepare" };
    const kinds = [{ ...upload, status: 200 }, upload, { status: 200 }];
    expect(kinds.map((kind) => made([{ at: 0, call: call(kind) }]).notes)).toEqual([[PICTURES_NOTE], [], []]);
    const named = [call({ picked: false }), call({ picked: false, operation: null, path: "/x" }), call()];
    expect(made(named.map((one) => ({ at: 0, call: one }))).steps.map(({ name }) => name)).toEqual([
      "Setup: repairer.jobs.get",
      "Setup: /x",
      undefined,
    ]);
  });

  it("expect the deliveries of a call at their receivers", () => {
    const payload = { job_id: "j", change_action: "inserted", at: "2026-01-01T00:00:00.000Z" };
    const sent = [{ event_type: "repairer.jobs" as const, payload }];
    const notifications = new Map([
      ["s", sent],
      ["another", sent],
    ]);
    const receiver = { subscription: "s", integration_id: "i", url: "http://x", statuses: [], behaviour: null };
    const { steps, of } = made([
      { at: 0, ...receiver },
      { at: 0, call: call({ notifications }) },
    ]);
    const expected = { event_type: "repairer.jobs", payload: { ...payload, at: { $is: "timestamp" } } };
    expect(steps.at(-1)).toEqual({ deliveries: { receiver: "receiver1", expect: [expected] } });
    expect(of).toEqual([0, 1, 1]);
  });

  it("have one note about masked secrets", () => {
    const sent = (body: string) => ({ at: 0, call: call({ body: Buffer.from(body) }) });
    const { notes } = made([sent('{"a":"ac_••••••••abcd"}'), sent("{}"), sent("cs_••••••••abcd")]);
    expect(notes).toEqual(["Secrets in calls are sent masked."]);
  });
});

describe("a receiver like the recorded one", () => {
  const like = (...statuses: (number | null)[]) => {
    const url = "http://x";
    const act = { at: 0, subscription: "s", integration_id: "i", url, statuses, behaviour: null };
    const { steps, notes } = made([act]);
    return { behaviour: steps[0]?.receiver?.behaviour, notes };
  };

  it("is correct if every attempt was acknowledged", () => {
    expect([like(200, 200), like()]).toEqual([{ notes: [] }, { notes: [] }]);
  });

  it("fails as long as the recorded one, or always if that never acknowledged", () => {
    expect(like(503, 503, 200)).toEqual({ behaviour: { answer: "status", status: 503, first: 2 }, notes: [] });
    expect(like(500, 500)).toEqual({ behaviour: { answer: "status", status: 500, first: null }, notes: [] });
  });

  it("notes that it only approximates the recorded one", () => {
    for (const statuses of [[503, 200, 404], [null]])
      expect(like(...statuses).notes).toEqual([
        "The responses of http://x changed, or there were none; its receiver returns 503.",
      ]);
  });
});
