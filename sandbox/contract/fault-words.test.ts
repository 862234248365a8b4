import { describe, expect, it } from "vitest";
import type { FaultEffect } from "./control/fault-operations.ts";
import { type FaultDescription, faultSentence, firingSentence } from "./fault-words.ts";

describe("the description of a fault", () => {
  const words: [FaultEffect, string, string][] = [
    [
      { error: { code: "forbidden" } },
      "Every call returns forbidden without running.",
      "Returned forbidden without running.",
    ],
    [
      { error: { status: 503, when: "after" } },
      "Every call returns 503 after it has run.",
      "Returned 503 after it has run.",
    ],
    [{ delay: { ms: 20 } }, "Every call waits 20 ms before it runs.", "Delayed by 20 ms, before running."],
    [
      { drop: { when: "after" } },
      "Every call gets no response: the connection is closed after it has run.",
      "The connection was closed without a response, after it has run.",
    ],
    [
      { rate_limit: { limit: 2, window_seconds: 60 } },
      "Every call above 2 in 60 s by one integration returns 429 rate_limited.",
      "Returned 429 rate_limited without running.",
    ],
    [
      { hang: { when: "after" } },
      "Every call gets no response, after it has run: the connection stays open until the caller gives up, at most 10 min.",
      "Left without a response, after it has run.",
    ],
  ];
  it.each(words)("covers %j, before and after", (effect, does, did) => {
    expect([faultSentence({ effect }), firingSentence(effect)]).toEqual([does, did]);
  });

  it("names the affected calls", () => {
    const sentenceFor = (over: Partial<FaultDescription>) =>
      faultSentence({ operation: "tier1.prepare", effect: { drop: {} }, ...over });
    expect(sentenceFor({ calls: { nth: 1 } })).toMatch(/^The 1st call of tier1\.prepare gets /);
    expect(sentenceFor({ calls: { nth: 12 } })).toMatch(/^The 12th call /);
    expect(sentenceFor({ uses: 1 })).toMatch(/^The next call of tier1\.prepare gets /);
    expect(sentenceFor({ uses: 2 })).toMatch(/^Each of the next 2 calls of tier1\.prepare gets /);
    expect(sentenceFor({ calls: { nth: 22 }, integration_id: "x" })).toMatch(
      /^The 22nd call of tier1\.prepare by the integration x gets /,
    );
  });
});
