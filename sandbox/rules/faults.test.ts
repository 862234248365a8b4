import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FaultEffect } from "../contract/control/fault-rows.ts";
import { sentenceOfFault, sentenceOfFiring } from "./fault-words.ts";
import { type ArmedFault, countAgainst, cutAt, firesOn, isAbout, leftOf, stateOf } from "./faults.ts";

const fault = (over: Partial<ArmedFault> = {}): ArmedFault => ({
  id: "f",
  name: null,
  operation: "*",
  integration_id: null,
  calls: null,
  effect: { drop: {} },
  uses: null,
  armed_at: 0,
  expires_at: null,
  matched: 0,
  fired: 0,
  last_fired_at: null,
  ...over,
});
const fired = (calls: ArmedFault["calls"]): number[] => [1, 2, 3, 4, 5, 6].filter((number) => firesOn(calls, number));

describe("a fault", () => {
  it("fires on all calls, the nth, the first so many, or one in so many", () => {
    expect([fired(null), fired({ nth: 3 }), fired({ first: 2 }), fired({ every: 3 })]).toEqual([
      [1, 2, 3, 4, 5, 6],
      [3],
      [1, 2],
      [3, 6],
    ]);
  });

  it("is about one operation or any, and about one integration or anybody", () => {
    const call = { operation: "a", integration_id: "i" };
    expect(isAbout(fault(), call)).toBe(true);
    expect(isAbout(fault({ operation: "a", integration_id: "i" }), call)).toBe(true);
    expect(isAbout(fault({ operation: "b" }), call)).toBe(false);
    expect(isAbout(fault({ integration_id: "other" }), call)).toBe(false);
    expect(isAbout(fault({ integration_id: "i" }), { ...call, integration_id: null })).toBe(false);
  });

  it("is about attempts or calls, never both, and about one type of event or any", () => {
    const call = { operation: "a", integration_id: "i" };
    const attempt = { delivery_id: "d", event_type: "repairer.jobs", number: 1 } as const;
    const to = { attempt, integration_id: "i" };
    const attempts = (over: Partial<ArmedFault> = {}) => isAbout(fault({ about: "attempts", ...over }), to);
    expect([isAbout(fault(), to), isAbout(fault({ about: "attempts" }), call), attempts()]).toEqual([
      false,
      false,
      true,
    ]);
    expect(attempts({ event_type: "repairer.jobs", integration_id: "i" })).toBe(true);
    expect(attempts({ event_type: "supplier.procurements" })).toBe(false);
    expect(attempts({ integration_id: "other" })).toBe(false);
  });

  it("has left what its calls and its uses both allow", () => {
    expect(leftOf(fault())).toBeNull();
    expect(leftOf(fault({ uses: 3, fired: 1 }))).toBe(2);
    expect(leftOf(fault({ calls: { nth: 2 }, matched: 1 }))).toBe(1);
    expect(leftOf(fault({ calls: { nth: 2 }, matched: 2 }))).toBe(0);
    expect(leftOf(fault({ calls: { first: 5 }, matched: 1, uses: 2, fired: 1 }))).toBe(1);
    expect(leftOf(fault({ calls: { every: 2 }, matched: 9 }))).toBeNull();
  });

  it("is over when nothing is left of it, or at its end to the millisecond", () => {
    expect(stateOf(fault({ expires_at: 10 }), 9)).toBe("armed");
    expect(stateOf(fault({ expires_at: 10 }), 10)).toBe("expired");
    expect(stateOf(fault({ uses: 1, fired: 1, expires_at: 10 }), 11)).toBe("used_up");
  });
});

describe("a probability", () => {
  const seeds = fc.integer({ min: 0, max: 4_294_967_295 });
  const firing = (probability: number, seed: number, numbers = 2_000): number[] =>
    Array.from({ length: numbers }, (_, index) => index + 1).filter((number) => firesOn({ probability, seed }, number));

  it("fires on the same ones for the same seed, and on others for another seed", () => {
    fc.assert(
      fc.property(seeds, seeds, (seed, other) => {
        expect(firing(0.3, seed)).toEqual(firing(0.3, seed));
        if (other !== seed) expect(firing(0.3, other)).not.toEqual(firing(0.3, seed));
      }),
      { numRuns: 50 },
    );
    expect(firing(0.2, 7, 40)).toEqual([1, 11, 17, 23, 25, 26, 35, 36, 37, 38]);
    expect(firesOn({ probability: 0.2 }, 3)).toBe(firesOn({ probability: 0.2, seed: 1 }, 3));
  });

  it("fires about as often as it says, whatever the seed", () => {
    fc.assert(
      fc.property(seeds, fc.double({ min: 0.01, max: 1, noNaN: true }), (seed, probability) => {
        const share = firing(probability, seed, 4_000).length / 4_000;
        // Seven standard deviations: once in a hundred thousand million draws.
        expect(Math.abs(share - probability)).toBeLessThanOrEqual(7 * Math.sqrt(0.25 / 4_000));
      }),
    );
    expect([firing(1, 5, 100).length, firing(0, 5, 100).length]).toEqual([100, 0]);
  });

  it("that is higher fires on all that a lower one fires on", () => {
    fc.assert(
      fc.property(
        seeds,
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (seed, one, other) => {
          const higher = new Set(firing(Math.max(one, other), seed, 300));
          expect(firing(Math.min(one, other), seed, 300).every((number) => higher.has(number))).toBe(true);
        },
      ),
    );
  });
});

describe("an answer that is cut", () => {
  it("is sent in part, half of it or as much as is said, and never whole", () => {
    expect([cutAt({}, 9), cutAt({}, 1), cutAt({}, 0), cutAt({ bytes: 0 }, 9), cutAt({ bytes: 4 }, 9)]).toEqual([
      4, 0, 0, 0, 4,
    ]);
    expect([cutAt({ bytes: 9 }, 9), cutAt({ bytes: 500 }, 9)]).toEqual([8, 8]);
  });
});

describe("a rate limit", () => {
  it("begins a window with a call, counts in it, and begins anew with the first call after it", () => {
    const limit = { limit: 2, window_seconds: 10 };
    let window: Parameters<typeof countAgainst>[1];
    const at = (now: number) => {
      const counted = countAgainst(limit, window, now);
      window = counted.window;
      return counted.retryAfterSeconds;
    };
    expect([at(1_000), at(2_000), at(2_001), at(10_999), at(11_000), at(11_001), at(11_002)]).toEqual([
      null,
      null,
      9,
      1,
      null,
      null,
      10,
    ]);
  });
});

describe("a fault in words", () => {
  const words: [FaultEffect, string, string][] = [
    [
      { error: { code: "forbidden" } },
      "Every call is answered forbidden without being carried out.",
      "Answered forbidden without being carried out.",
    ],
    [
      { error: { status: 503, body: {}, when: "after" } },
      "Every call is answered 503 with a body of its own after it was carried out.",
      "Answered 503 with a body of its own after it was carried out.",
    ],
    [
      { delay: { ms: 20 } },
      "Every call waits 20 ms before it is carried out.",
      "Held for 20 ms before it was carried out.",
    ],
    [
      { drop: { when: "after" } },
      "Every call gets no answer: the connection is closed after it was carried out.",
      "The connection was closed without an answer, after it was carried out.",
    ],
    [
      { rate_limit: { limit: 2, window_seconds: 60 } },
      "Every call beyond 2 of an integration within 60 s is answered 429 rate_limited.",
      "Answered 429 rate_limited without being carried out.",
    ],
  ];
  it.each(words)("says what %j does and did", (effect, does, did) => {
    expect([sentenceOfFault(fault({ effect })), sentenceOfFiring({ effect })]).toEqual([does, did]);
  });

  const more: typeof words = [
    [
      { hang: { when: "after" } },
      "Every call gets no answer, after it was carried out: the connection stays open until the caller gives up, at most 10 min.",
      "Left without an answer, after it was carried out.",
    ],
    [
      { truncate: { bytes: 12 } },
      "Every call is carried out, but after 12 bytes of the answer's body the connection is closed.",
      "The connection was closed after 12 bytes of the answer's body.",
    ],
  ];
  it.each(more)("says what %j does and did", (effect, does, did) => {
    expect([sentenceOfFault(fault({ effect })), sentenceOfFiring({ effect })]).toEqual([does, did]);
  });

  const toAttempts: typeof words = [
    [{ error: { status: 503 } }, "is not sent: it counts as answered 503.", "Not sent, counted as answered 503."],
    [
      { error: { status: 503, when: "after" } },
      "is sent, but counts as answered 503.",
      "Sent, but counted as answered 503.",
    ],
    [{ delay: { ms: 30_000 } }, "waits 30 s before it is sent.", "Held for 30 s before it was sent."],
    [{ drop: {} }, "is not sent: the connection is closed.", "Not sent, the connection was closed."],
    [
      { drop: { when: "after" } },
      "is sent, and the receiver's answer is lost.",
      "Sent, and the receiver's answer was lost.",
    ],
  ];
  it.each(toAttempts)("says what %j does and did to an attempt", (effect, does, did) => {
    const about = "attempts";
    expect(sentenceOfFault(fault({ about, effect }))).toBe(`Every attempt to send a notification ${does}`);
    expect(sentenceOfFiring({ about, effect })).toBe(did);
  });

  it("says which attempts it is about", () => {
    const of = (over: Partial<ArmedFault>) => sentenceOfFault(fault({ about: "attempts", ...over }));
    expect(of({ calls: { nth: 2 }, event_type: "supplier.procurements", integration_id: "x" })).toMatch(
      /^The 2nd attempt to send supplier\.procurements to the integration x is not sent/,
    );
    expect(of({ calls: { probability: 0.125 } })).toMatch(
      /^With a probability of 12\.5% \(seed 1\), an attempt to send a notification is not sent/,
    );
  });

  it("says which calls it is about", () => {
    const of = (over: Partial<ArmedFault>) => sentenceOfFault(fault({ operation: "tier1.prepare", ...over }));
    expect(of({ calls: { nth: 1 } })).toMatch(/^The 1st call of tier1\.prepare gets /);
    expect(of({ calls: { nth: 12 } })).toMatch(/^The 12th call /);
    expect(of({ calls: { first: 3 } })).toMatch(/^Each of the first 3 calls of tier1\.prepare gets /);
    expect(of({ uses: 1 })).toMatch(/^The next call of tier1\.prepare gets /);
    expect(of({ uses: 2 })).toMatch(/^Each of the next 2 calls of tier1\.prepare gets /);
    expect(of({ calls: { every: 22 }, integration_id: "x" })).toMatch(
      /^Every 22nd call of tier1\.prepare by the integration x gets /,
    );
  });
});
