import { describe, expect, it } from "vitest";
import { type DrillName, drillNames } from "../contract/drill-names.ts";
import { adviceOf } from "./drill-advice.ts";

const resultsOf = (failed: readonly DrillName[]) =>
  new Map(drillNames.map((drill) => [drill, failed.includes(drill) ? ("failed" as const) : ("passed" as const)]));
const failing = (...failed: readonly DrillName[]) => adviceOf(resultsOf(failed), [401]);

const BAD = [
  "missing_signature",
  "flipped_byte",
  "wrong_secret",
  "missing_timestamp",
  "malformed_timestamp",
  "stale",
  "future",
] as const;

describe("what a receiver is advised to mend", () => {
  it("is nothing when every drill passed, and nothing is said before they were all run", () => {
    expect(failing()).toEqual([
      "It answers as a correct receiver does. Whether it deduplicates can’t be seen: its own log tells.",
    ]);
    expect(adviceOf(new Map(), [])).toEqual([]);
    expect(adviceOf(new Map([["duplicate", "passed"]]), [])).toEqual([]);
  });

  it("names the missing check when it checks the signature but not the age", () => {
    expect(failing("stale", "future")).toEqual([
      "It does not check the age. Compare webhook_timestamp with its own clock, 5 minutes either side.",
    ]);
    expect(failing("stale")).toEqual(["Old notifications pass. Refuse what was stamped more than 5 minutes ago."]);
    expect(failing("future")[0]).toMatch(/absolute difference/);
  });

  it("tells a signature that is not checked from one that is checked in part", () => {
    expect(failing("missing_signature", "flipped_byte", "wrong_secret")[0]).toMatch(/^It does not check the signature/);
    expect(failing("missing_signature")).toEqual([
      "It lets a notification without a signature pass. Treat a missing header as a wrong one.",
    ]);
    expect(failing("flipped_byte", "wrong_secret")[0]).toMatch(/not that it is right/);
    expect(failing("flipped_byte")[0]).toMatch(/^A changed body passes/);
    expect(failing("wrong_secret")[0]).toMatch(/^Another secret passes/);
  });

  it("names everything that is missing, in the order of the verification", () => {
    expect(failing(...BAD).map((sentence) => sentence.split(".")[0])).toEqual([
      "It does not check the signature",
      "It does not check the age",
      "It takes a webhook_timestamp it cannot read, or breaks over it",
    ]);
  });

  it("says that refusals prove nothing where good notifications are refused too", () => {
    expect(failing("duplicate", "reordered")).toEqual([expect.stringContaining("its refusals prove nothing yet")]);
  });

  it("says of good notifications that are refused which drills show it, and no more than the answers tell", () => {
    const advised = (...answers: readonly (number | null)[]) =>
      adviceOf(resultsOf(["duplicate", "reordered"]), answers)[0];
    expect(advised(401, 401)).toBe(
      "It does not acknowledge good notifications (Duplicate, Out of order: answered 401), so its refusals prove nothing yet. It can be reached at its address: check the secret it verifies with, and that it verifies the raw bytes.",
    );
    expect(advised(403)).toMatch(/check the secret/);
    expect(advised(404)).toMatch(/answered 404.*Check the path of its address\.$/);
    expect(advised(204)).toMatch(/Only 200 acknowledges\.$/);
    expect(advised(200)).toMatch(/Check that its 200 arrives to the end\.$/);
    expect(advised(503)).toMatch(/Look into its own log\.$/);
    expect(advised(null, 401)).toMatch(/no answer, answered 401.*before it works\. It can be reached/);
  });

  it("says so when only repeats, or only their order, are not acknowledged", () => {
    expect(failing("duplicate")[0]).toMatch(/does not acknowledge a repeat/);
    expect(failing("reordered")[0]).toMatch(/out of order/);
  });

  it("sends to the address first when nothing at all is answered as it should be", () => {
    expect(failing(...drillNames)).toEqual([
      "It answers none of them as it should. Check first what listens at its address.",
    ]);
  });

  it("has something to say about every drill that fails alone", () => {
    for (const drill of drillNames) expect(failing(drill), drill).toHaveLength(1);
  });
});
