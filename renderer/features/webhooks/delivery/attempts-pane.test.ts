import { describe, expect, it } from "vitest";
import { attemptOutcome } from "../../../domain/delivery/verdict.ts";
import { firstWait, waitReason } from "./attempts-pane.tsx";

describe("the attempts of a delivery", () => {
  it("are acknowledged only by 200", () => {
    expect(attemptOutcome({ response_status: 200, error: null })).toBe("acknowledged");
    expect(attemptOutcome({ response_status: 204, error: null })).toBe("refused");
    expect(attemptOutcome({ response_status: 302, error: "redirects are not followed" })).toBe("refused");
    expect(attemptOutcome({ response_status: null, error: "connection refused" })).toBe("unanswered");
  });

  it("are not acknowledged by an incomplete 200", () => {
    const broken = { response_status: 200, error: "the response broke off" };
    expect(attemptOutcome(broken)).toBe("broken");
  });

  it("show how long the first one waited behind others, if noticeable", () => {
    const queuedAt = "2026-03-11T22:05:07.204Z";
    expect(firstWait(queuedAt, undefined)).toBeNull();
    expect(firstWait(queuedAt, { started_at: "2026-03-11T22:05:07.906Z" })).toBeNull();
    expect(firstWait(queuedAt, { started_at: "2026-03-11T22:05:37.306Z" })).toBe("waited 30 s");
  });

  it("say if one waited behind others that timed out", () => {
    expect(waitReason({})).toBeNull();
    expect(waitReason({ waited_behind: { attempts: 20, unanswered: 17 } })).toBe(
      "behind 17 attempts without a response",
    );
  });
});
