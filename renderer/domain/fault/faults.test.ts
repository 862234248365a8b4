import { describe, expect, it } from "vitest";
import type { Fault } from "../../../sandbox/contract/control/fault-operations.ts";
import { armedFaults, faultRemainderText } from "./faults.ts";

const now = Date.parse("2026-03-17T10:00:00Z");
const fault = (change: Partial<Fault> = {}): Fault => ({
  id: "f1",
  name: null,
  operation: "*",
  integration_id: null,
  calls: null,
  effect: { drop: {} },
  uses: null,
  armed_at: "2026-03-17T09:00:00Z",
  expires_at: null,
  state: "armed",
  matched: 0,
  fired: 0,
  left: null,
  last_fired_at: null,
  sentence: "Every call gets no answer.",
  ...change,
});

describe("an armed fault", () => {
  it("is neither used up nor expired, even before the service says so", () => {
    const over = fault({ id: "over", expires_at: "2026-03-17T09:59:59Z" });
    const used = fault({ id: "used", state: "used_up" });
    expect(armedFaults([fault(), over, used], now).map(({ id }) => id)).toEqual(["f1"]);
  });
  it("counts its hits and shows its remaining uses", () => {
    expect(faultRemainderText(fault(), now)).toBe("no hits yet");
    expect(faultRemainderText(fault({ fired: 1, left: 2 }), now)).toBe("1 hit, 2 calls left");
    expect(faultRemainderText(fault({ fired: 3, left: 1, expires_at: "2026-03-17T10:04:00Z" }), now)).toBe(
      "3 hits, 1 call left, active for another 4 min",
    );
  });
});
