import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Step } from "../contract/scenario.ts";
import { type RecordedAct, type RecordedCall, type Recording, receiverLike, redacted, stepsOf } from "./recording.ts";
import { RecordedValues } from "./recording-values.ts";
import { differenceFrom } from "./scenario-match.ts";
import { resolve } from "./scenario-references.ts";

const BASE = "http://127.0.0.1:4026";
const OLD = "11111111-1111-4111-8111-111111111111";
const at = { baseUrl: BASE, isOld: (uuid: string) => uuid === OLD };
const known = new Map<string, unknown>([["service", { base_url: BASE }]]);

const resolved = (json: unknown, values: ReadonlyMap<string, unknown>): unknown => {
  const found = resolve(json, values);
  if ("problem" in found) throw new Error(found.problem);
  return found.value;
};

/** Texts of which pieces are special: identifiers, moments, masks, addresses, and what looks like a reference. */
const piece = fc.oneof(
  fc.uuid(),
  fc.constantFrom(
    OLD,
    "sbx_••••••••0c21",
    "••••••••",
    "{{",
    "}}",
    `${BASE}/x?expires=12&world=a`,
    "$is",
    ".*+?^$()[]|\\/",
  ),
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

describe("what an answer must be in every run", () => {
  it("holds for the very answer it was made of", () => {
    fc.assert(
      fc.property(json, json, (sent, answer) => {
        // Of a secret that was sent a run sends another.
        fc.pre(!JSON.stringify(sent).includes("•"));
        const values = new RecordedValues(at);
        values.request(sent);
        const expected = resolved(values.expected(answer), known);
        expect(differenceFrom(expected, answer)).toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });

  it("is what a run sends, where the answer repeats what was sent", () => {
    const values = new RecordedValues(at);
    const run = new Map<string, unknown>([
      ["service", { base_url: "http://elsewhere" }],
      ["repairer", { api_key: "sbx_7d41f0b9c2e84a5396d8b7135fae0c21" }],
    ]);
    const texts = ["isk_••••••••ffff", `${BASE}/hook`, `see isk_••••••••ffff at ${BASE}`];
    for (const sent of [...texts, "sbx_••••••••0c21 and sbx_••••••••ffff"]) {
      const now = resolved(values.request({ sent }), run) as { sent: string };
      expect(differenceFrom(resolved(values.expected({ repeated: sent }), run), { repeated: now.sent })).toBeNull();
    }
  });

  it("holds for the address of an upload in whatever world", () => {
    const signed = (sign: string, more: string) => `${BASE}/__uploads/${OLD}?expires=12&signature=${sign}${more}`;
    const expected = new RecordedValues(at).expected(signed("••••••••", "&world=recorded"));
    for (const here of ["", "&world=run-1"]) expect(differenceFrom(expected, signed("Ab-_9", here))).toBeNull();
  });

  it("holds for an answer with other new identifiers, and for none with another of those that were there", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (then, now) => {
        fc.pre(then !== now);
        const values = new RecordedValues(at);
        const answer = (id: string, site: string) => ({
          id,
          site,
          at: "2026-01-01T00:00:00.000Z",
          url: `${BASE}/${id}`,
        });
        const expected = resolved(values.expected(answer(then, OLD)), known);
        expect(differenceFrom(expected, { ...answer(now, OLD), at: "2027-01-01T00:00:00.000Z" })).toBeNull();
        expect(differenceFrom(expected, answer(now, now))).toMatchObject({ path: "/site" });
      }),
    );
  });
});

describe("what is sent", () => {
  it("is the very same where it refers to nothing", () => {
    fc.assert(
      fc.property(json, (sent) => {
        fc.pre(!JSON.stringify(sent).includes("{{") && !JSON.stringify(sent).includes("•"));
        expect(resolved(new RecordedValues(at).request(sent), known)).toEqual(sent);
      }),
    );
  });

  it("refers to what an earlier answer had that was new, by the way that leads there", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (then, now) => {
        const values = new RecordedValues(at);
        values.expected({ items: [{ id: then }], sites: [OLD] });
        values.learn({ items: [{ id: then }], sites: [OLD] }, "step1");
        expect(values.request({ identity: { id: then }, site: OLD })).toEqual({
          identity: { id: "{{step1.items.0.id}}" },
          site: OLD,
        });
        const run = new Map([...known, ["step1", { items: [{ id: now }] }]]);
        expect(resolved(values.written(`/path/${then}?x`), run)).toBe(`/path/${now}?x`);
      }),
    );
  });

  it("is what is left of a secret, where it is one that nobody knows any more", () => {
    const values = new RecordedValues(at);
    expect(values.written("see isk_••••••••ffff")).toBe("see isk_••••••••ffff");
    values.learn({ api_key: "isk_••••••••ffff" }, "step1");
    expect(values.written("isk_••••••••ffff")).toBe("isk_••••••••ffff");
  });
});

describe("a receiver like the one that was there", () => {
  const answered = (...statuses: (number | null)[]) => statuses.map((status) => ({ status, error: null }));
  const like = (...statuses: (number | null)[]) => receiverLike("http://x", answered(...statuses));

  it("is a correct one where every attempt was taken", () => {
    expect(like(200, 200)).toEqual({ url: "http://x", isConstant: true, note: null });
    expect(like()).toEqual({ url: "http://x", isConstant: true, note: null });
  });

  it("fails as long as it failed, and always where it never took one", () => {
    expect(like(503, 503, 200)).toMatchObject({ behaviour: { answer: "status", status: 503, first: 2 }, note: null });
    expect(like(500, 500)).toMatchObject({ behaviour: { status: 500, first: null }, isConstant: true, note: null });
  });

  it("says where it can only do about the same", () => {
    expect(like(503, 200, 404).note).toMatch(/changed from attempt to attempt/);
    expect(like(null).note).toMatch(/could not be reached; its receiver answers 503/);
    const late = receiverLike("http://x", [{ status: null, error: "no answer within 10 s" }]);
    expect(late).toMatchObject({ behaviour: { answer: "time_out" }, note: null });
  });

  it("is one whatever came", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.constantFrom(200, 201, 404, 503), { nil: null })), (statuses) => {
        const { behaviour } = like(...statuses);
        const fails = statuses.some((status) => status !== 200);
        expect(behaviour !== undefined).toBe(fails);
        if (behaviour?.first !== null && behaviour?.first !== undefined) expect(behaviour.first).toBeGreaterThan(0);
      }),
    );
  });
});

const call = (more: Partial<RecordedCall> = {}): RecordedCall => ({
  ...{ id: "t", method: "POST", path: "/api/2026-01/repairer.jobs.get", operation: "repairer.jobs.get" },
  ...{ unrouted: null, integration_id: null, code: null, status: 404, headers: [], body: Buffer.from("{}") },
  ...{
    answerHeaders: [
      ["date", "now"],
      ["x-y", "z"],
    ] as const,
    answer: Buffer.from('{"type":"not_found"}'),
  },
  ...{ label: null, picked: true, decision: null, faults: [], deliveries: [] },
  ...more,
});
const recordingOf = (acts: readonly RecordedAct[], from: number | null = 0): Recording => ({
  ...{ ...at, preloaded: [], credential: () => undefined, clients: [], from, acts },
});
const made = (acts: readonly RecordedAct[], from: number | null = 0) => {
  const steps = stepsOf(recordingOf(acts, from));
  let next = steps.next();
  while (!next.done) next = steps.next();
  return next.value;
};
const seconds = ({ control }: Step): unknown => (control?.body as { seconds?: number } | undefined)?.seconds;

describe("the steps", () => {
  it("pass the time that passed between two calls, from a minute on", () => {
    const { steps } = made([
      { at: 59_999, offset: 0, call: call() },
      { at: 59_999 + 60_000, offset: 0, call: call() },
      { at: 59_999 + 60_000 + 3_600_500, offset: 0, call: call() },
    ]);
    expect(steps.map((step) => (step.call ? "call" : seconds(step)))).toEqual(["call", 60, "call", 3_600, "call"]);
    // A draft begins with its first call.
    expect(made([{ at: 1e12, offset: 0, call: call() }], null).steps).toHaveLength(1);
  });

  it("have what came then, without what is of one connection, in the world's time", () => {
    const [step] = made([{ at: 1_000, offset: 60_000, call: call({ faults: ["it broke"] }) }]).steps;
    expect(step).toMatchObject({
      call: { operation: "repairer.jobs.get" },
      expect: { status: 404, body: { type: "not_found" } },
      came: { at: "1970-01-01T00:01:01.000Z", status: 404, headers: { "x-y": "z" }, faults: ["it broke"] },
    });
    expect(step?.came?.headers).not.toHaveProperty("date");
  });

  it("expect no answer where there was none, and leave out with a note what no step can say", () => {
    const { steps, notes } = made([
      { at: 0, offset: 0, call: call({ status: 0, answer: Buffer.alloc(0) }) },
      { at: 0, offset: 0, call: call({ id: "one", method: "BREW" }) },
      { at: 0, offset: 0, call: call({ id: "two", unrouted: "unreadable" }) },
      { at: 0, offset: 0, call: call({ id: "three", path: "*" }) },
      { at: 0, offset: 0, note: "this and that" },
      { at: 0, offset: 0, note: "this and that" },
    ]);
    expect(steps.map(({ call, control, ...step }) => ("expect" in step ? step.expect : null))).toEqual([
      { no_answer: true },
    ]);
    expect(notes).toEqual([
      "Left out: a call with BREW (one).",
      "Left out: bytes that were no request (two).",
      "Left out: an address that cannot be written (three).",
      "This and that.",
    ]);
  });

  it("are told in one note where they send a secret that nobody knows any more", () => {
    const sent = (body: string) => ({ at: 0, offset: 0, call: call({ body: Buffer.from(body) }) });
    const { notes } = made([sent('{"a":"ac_••••••••abcd"}'), sent("{}"), sent("cs_••••••••abcd")]);
    expect(notes).toEqual(["Secrets that were sent are sent as they are shown, masked."]);
  });

  it("call with the key of the integration, by its id; with what was sent where that was another key", () => {
    const integration_id = "22222222-2222-4222-8222-222222222222";
    const credential = { integration_id, key_hint: "isk_••••••••abcd", scope: "repairer", preloaded: false } as const;
    const of = (authorization: string) =>
      made([
        {
          ...{ at: 0, offset: 0 },
          call: call({ integration_id, headers: [["authorization", authorization]] }),
        },
      ]);
    const stepOf = (authorization: string) => {
      const recording = { ...recordingOf([]), credential: () => credential };
      const steps = stepsOf({
        ...recording,
        acts: [{ at: 0, offset: 0, call: call({ integration_id, headers: [["authorization", authorization]] }) }],
      });
      let next = steps.next();
      while (!next.done) next = steps.next();
      return next.value.steps[0]?.call;
    };
    expect(stepOf("Bearer isk_••••••••abcd")).toMatchObject({ credentials: { integration_id } });
    expect(stepOf("Bearer isk_••••••••ffff")).toMatchObject({ headers: { authorization: "Bearer isk_xxxxxxxxffff" } });
    expect(of("Bearer isk_••••••••abcd").steps[0]?.call).toHaveProperty("headers.authorization");
  });

  it("hold a body that is nested without end as text", () => {
    const deep = `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`;
    const [step] = made([
      { at: 0, offset: 0, call: call({ body: Buffer.from(deep), answer: Buffer.from(deep) }) },
    ]).steps;
    expect(step?.call).toMatchObject({ text: deep });
    expect(step?.came?.body).toBe(deep);
  });

  it("send the very bytes that were sent, whatever they are", () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('{"a":1.0}', '{"a":1,"a":2}', '{"n":12345678901234567890}', "\ufeff{}", "{", "{{x.y}}", "[1]", "")
        .map((one) => Buffer.from(one)),
      fc.json({ stringUnit: "grapheme" }).map((one) => Buffer.from(one)),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        const [step] = made([{ at: 0, offset: 0, call: call({ body }) }]).steps;
        const {
          text,
          base64,
          body: sent,
        } = resolved(step?.call, known) as { text?: string; base64?: string; body?: object };
        const written = base64 === undefined ? (text ?? JSON.stringify(sent)) : null;
        if (written === null) expect(Buffer.from(base64 ?? "", "base64")).toEqual(body);
        else if (text !== undefined) expect(Buffer.from(written)).toEqual(body);
        else expect(JSON.parse(written)).toEqual(JSON.parse(body.toString()));
      }),
      { numRuns: 500 },
    );
  });
});

it("what is redacted is so in keys too, and otherwise as it was", () => {
  const redact = (one: string) => one.replaceAll("secret", "•");
  expect(redacted({ "a secret": ["secret", { b: 1 }], c: null }, redact)).toEqual({ "a •": ["•", { b: 1 }], c: null });
  fc.assert(
    fc.property(json, (one) => {
      expect(redacted(one, (text) => text)).toEqual(one);
    }),
  );
});
