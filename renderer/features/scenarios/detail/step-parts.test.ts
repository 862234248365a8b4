import { expect, it } from "vitest";
import type { CallStep, Step } from "../../../../sandbox/contract/scenario.ts";
import { expectedStatus } from "../../../domain/scenario/step-words.ts";
import { checksText } from "./step-parts.tsx";

const call = (expect?: CallStep["expect"]): Step => ({
  call: { operation: "repairer.jobs.insert" },
  ...(expect === undefined ? {} : { expect }),
});

it("lists the checks, and no status if none is checked", () => {
  expect([expectedStatus(call()), checksText(call())]).toEqual([200, ""]);
  const checked = call({ status: 422, body: { type: "a", b: 1, c: 2, d: 3 }, within_seconds: 5 });
  expect([expectedStatus(checked), checksText(checked)]).toEqual([422, "with type, b, c and 1 more; within 5 s"]);
  expect([expectedStatus(call({ no_answer: true })), checksText(call({ no_answer: true }))]).toEqual([
    null,
    "connection closed",
  ]);
  const deliveries: Step = {
    deliveries: {
      receiver: "r",
      expect: [
        { event_type: "repairer.jobs" },
        { event_type: "repairer.procurements", count: 0 },
        { event_type: "repairer.jobs" },
      ],
    },
  };
  expect([expectedStatus(deliveries), checksText(deliveries)]).toEqual([
    null,
    "2 × repairer.jobs, no repairer.procurements",
  ]);
});
