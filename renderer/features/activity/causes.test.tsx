// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { ActivityGroup } from "../../../sandbox/contract/control/activity-operations.ts";
import { show } from "../../testing/shown.tsx";
import { Causes } from "./causes.tsx";
import { activityParams, groupKey } from "./queries.ts";

afterEach(cleanup);

const last_call = { kind: "call", world: "w", id: "0197", at: "2026-03-01T12:00:00.000Z", operation: null } as const;
const group: ActivityGroup = {
  ...{ kind: "call", cause: "job_unknown", status: 404, sentence: "Not found.", whose_side: "partner" },
  ...{ what_to_do: "Check it.", expected: false, count: 1, last_call, timeline: [1], callers: [], more_callers: 0 },
};

it("can be left with an open cause, which scrolls into view", () => {
  const filter = { ...activityParams.parse(""), open: groupKey(group) };
  show(<Causes groups={[group]} from={last_call.at} filter={filter} narrow={() => undefined} anyExpected={false} />);
  screen.getByText("Check it.");
  expect(cleanup).not.toThrow();
});
