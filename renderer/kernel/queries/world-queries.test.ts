import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import * as control from "../../lib/service-client.ts";
import { setWorldAccess } from "../../lib/world-access.ts";
import * as all from "./world-queries.ts";

afterEach(() => setWorldAccess(null as never));

const queries = { ...all };
const ofTheService = ["serviceInfoQuery", "worldsQuery", "snapshotsQuery"] as const;
const ofAWorld = [
  ...["worldSummaryQuery", "credentialsQuery", "organizationsQuery", "clientsQuery", "switchesQuery", "clockQuery"],
  ...["policiesQuery", "recentRequestsQuery", "recentChangesQuery", "recentRefusalsQuery"],
] as (keyof typeof queries)[];
/** Reads with a query. @returns the call and the result */
const read = async (name: keyof typeof queries) => {
  const call = vi.spyOn(control, "callControl");
  call.mockResolvedValue({ items: [{ api_key: "k" }] } as never);
  const query = (queries[name] as unknown as (world: string) => Parameters<QueryClient["fetchQuery"]>[0])("qa");
  const result = await new QueryClient().fetchQuery(query);
  return { key: query.queryKey, asked: call.mock.lastCall?.[1], result };
};

it("requests a world's data by its name, and caches it under this name", async () => {
  for (const name of ofAWorld) {
    const { key, asked } = await read(name);
    expect([name, asked]).toEqual([name, expect.objectContaining({ world: "qa" })]);
    expect(key?.slice(0, 2)).toEqual(["world", "qa"]);
  }
  expect((await read("recentRequestsQuery")).asked).toEqual({ world: "qa", limit: 100 });
  expect((await read("recentChangesQuery")).asked).toMatchObject({ changes: true, limit: 40 });
  expect((await read("recentRefusalsQuery")).asked).toMatchObject({ refused: true, limit: 40 });
});

it("selects the settings without when they were changed", () => {
  expect(all.policiesQuery("qa").select?.({ policies: "values", changed_at: "then" } as never)).toBe("values");
});

it("counts the organizations that act by themselves, not their rules", () => {
  const rule = (organization_id: string, changed: object = {}) => ({
    organization_id,
    off: null,
    finished: false,
    ...changed,
  });
  const rules = [
    rule("a"),
    rule("a"),
    rule("b"),
    rule("c", { finished: true }),
    rule("d", { off: { sentence: "Off." } }),
  ];
  expect(all.actingCountQuery("qa").select?.(rules as never)).toBe(2);
});

it("requests the service's data in the world that this window may open", async () => {
  for (const name of ofTheService) expect((await read(name)).asked).toMatchObject({ world: "default" });
  expect((await read("snapshotsQuery")).asked).toHaveProperty("everywhere", true);
  setWorldAccess({ name: "Ana", world: "mine", scope: "view", expires_at: null });
  for (const name of ofTheService) expect((await read(name)).asked).toMatchObject({ world: "mine" });
  expect((await read("snapshotsQuery")).asked).not.toHaveProperty("everywhere");
});

it("reads keys and secrets only if the window may act with them", async () => {
  const secret = async () => [
    (await read("credentialsQuery")).result,
    (await read("credentialsQuery")).asked,
    (await read("clientsQuery")).asked,
  ];
  const asked = (reveal: boolean) => ({ world: "qa", reveal });
  expect(await secret()).toEqual([[{ api_key: "k" }], asked(true), asked(true)]);
  setWorldAccess({ name: "Ana", world: "qa", scope: "view", expires_at: null });
  expect(await secret()).toEqual([[{ api_key: "" }], asked(false), asked(false)]);
});
