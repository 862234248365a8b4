import { describe, expect, it } from "vitest";
import type { ActivityGroup, GroupCaller } from "../../../sandbox/contract/control/activity-operations.ts";
import { activityParams, callsHref, groupKey, lastHref, onlyWorld } from "./queries.ts";

const last_call = { kind: "call", world: "acme", id: "0197", at: "2026-03-01T12:00:00.000Z", operation: null } as const;
const caller: GroupCaller = {
  ...{ world: "acme", integration_id: "i-1", organization_name: "Acme", side: "repairer" },
  ...{ user_agent: "acme/1 (x)", origin: "partner", count: 3, last_call },
};
const group: ActivityGroup = {
  ...{ kind: "call", cause: "job_unknown", status: 404, sentence: "", whose_side: "partner", what_to_do: "" },
  ...{ expected: false, count: 3, last_call, timeline: [3], callers: [caller], more_callers: 0 },
};
const FROM = "2026-03-01T11:00:00.000Z";
const asked = (href: string) => Object.fromEntries(new URL(href, "http://explorer").searchParams);

describe("a count of a cause", () => {
  it("links to exactly its calls, in their world", () => {
    const href = callsHref(group, "acme", FROM, { ...caller, integration_id: "0f8fad5b-d9cb-469f-a165-70867728950e" });
    expect(href).toMatch(/^\/requests\?/);
    expect(asked(href)).toEqual({
      ...{ cause: "job_unknown", status: "404", who: "0f8fad5b-d9cb-469f-a165-70867728950e" },
      ...{ agent: "acme/1 (x)", by: "partner", from: FROM, world: "acme" },
    });
    expect(asked(callsHref(group, "default", FROM, caller)).world).toBe("default");
  });

  it("links to the call itself if it is the only one", () => {
    expect(callsHref(group, "acme", FROM, { ...caller, count: 1 })).toBe("/requests/0197?world=acme");
  });

  it("links to the calls of all callers if they share a world", () => {
    expect(asked(callsHref(group, "acme", FROM))).toEqual({
      ...{ cause: "job_unknown", status: "404", from: FROM, world: "acme" },
    });
    expect(onlyWorld(group)).toBe("acme");
    expect(onlyWorld({ ...group, more_callers: 1 })).toBeNull();
    expect(onlyWorld({ ...group, callers: [caller, { ...caller, world: "default" }] })).toBeNull();
  });

  it("links to calls without credentials and program", () => {
    const nobody = { ...caller, integration_id: null, user_agent: null };
    expect(asked(callsHref({ ...group, cause: null, status: 0 }, "acme", FROM, nobody))).toEqual({
      ...{ status: "0", who: "none", by: "partner", from: FROM, world: "acme" },
    });
  });

  it("links to exactly the deliveries of its attempts", () => {
    const who = "0f8fad5b-d9cb-469f-a165-70867728950e";
    const refused = { kind: "delivery", cause: "receiver_refused", status: 503 } as const;
    const href = callsHref(refused, "acme", FROM, { ...caller, integration_id: who });
    expect(href).toMatch(/^\/webhooks\?/);
    expect(asked(href)).toEqual({ who, attempt: "receiver_refused", answered: "503", from: FROM, world: "acme" });
    const unreachable = { kind: "delivery", cause: "receiver_unreachable", status: 0 } as const;
    expect(asked(callsHref(unreachable, "acme", FROM))).toEqual({
      ...{ attempt: "receiver_unreachable", from: FROM, world: "acme" },
    });
    expect(lastHref({ ...last_call, kind: "delivery" })).toBe("/webhooks/0197?world=acme");
    expect(lastHref(last_call)).toBe("/requests/0197?world=acme");
  });
});

describe("the address", () => {
  it("contains non-default filters and the open cause only", () => {
    expect(activityParams.format("", activityParams.parse(""))).toBe("");
    const open = groupKey({ kind: "call", cause: null, status: 0 });
    const query = activityParams.format("", { since: "7d", of: "acme", expected: "hidden", open });
    expect(activityParams.parse(query)).toMatchObject({ since: "7d", of: "acme", expected: "hidden", open });
    expect(activityParams.parse("?since=3y&of=../x&who=me")).toMatchObject({ since: "1h", of: null, who: null });
  });
});
