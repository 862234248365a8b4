// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { ActivityGroup, GroupCaller } from "../../../sandbox/contract/control/activity-operations.ts";
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

it("links each caller's last call, beside the list of several", () => {
  const filter = { ...activityParams.parse(""), open: groupKey(group) };
  const caller = (world: string, count: number, id: string): GroupCaller => ({
    ...{ world, integration_id: null, organization_name: null, side: null, user_agent: null, origin: "partner" },
    ...{ count, last_call: { ...last_call, world, id } },
  });
  const callers = [caller("a", 2, "01a"), caller("b", 1, "01b")];
  const shared = { ...group, callers };
  show(<Causes groups={[shared]} from={last_call.at} filter={filter} narrow={() => undefined} anyExpected={false} />);
  const list = within(screen.getByRole("list", { name: "Callers of this cause" }));
  expect(list.getByRole("link", { name: "Last one" }).getAttribute("href")).toBe("/requests/01a?world=a");
  expect(list.getByRole("link", { name: "1 call" }).getAttribute("href")).toBe("/requests/01b?world=b");
});
