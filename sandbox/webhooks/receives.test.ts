import { expect, it, vi } from "vitest";
import { DeliveringWorld, INTEGRATION } from "../testing/delivering-world.ts";
import { describeReceived, findOtherWorlds } from "./receives.ts";

it("looks for the worlds of a hundred unknown integrations, each once, and names only visible ones", async () => {
  const { world } = new DeliveringWorld();
  const findIntegration = vi.fn(async (id: string) => {
    const of = { theirs: "open", secret: "hidden", same: world.name }[id];
    return of === undefined ? null : { world: of, webhook_secret: "pwh_x" };
  });
  const maySee = (name: string): boolean => name !== "hidden";
  const ids = [INTEGRATION, "theirs", "theirs", "secret", "same", "nobody"];
  expect([...(await findOtherWorlds({ findIntegration }, world, ids, maySee))]).toEqual([["theirs", "open"]]);
  expect(findIntegration.mock.calls.flat()).toEqual(["theirs", "secret", "same", "nobody"]);
  findIntegration.mockClear();
  await findOtherWorlds({ findIntegration }, world, [...Array(101).keys()].map(String), maySee);
  expect(findIntegration).toHaveBeenCalledTimes(100);
});

it.each([
  [INTEGRATION, null, ["repairer.jobs", "repairer.procurements"], "receives repairer.jobs and repairer.procurements."],
  [INTEGRATION, ["repairer.jobs"], ["repairer.jobs"], "receives repairer.jobs only."],
  [INTEGRATION, ["supplier.procurements"], [], "this one asks for supplier.procurements. Nothing will be sent."],
  ["theirs", null, [], "This integration is in world open"],
  ["nobody", null, [], "No integration has this ID in this world."],
] as const)("tells what %s with the types %j receives: %j", (integration_id, event_types, events, words) => {
  const { world } = new DeliveringWorld();
  const subscription = { integration_id, event_types: event_types && [...event_types] } as never;
  const received = describeReceived(world, subscription, new Map([["theirs", "open"]]));
  expect(received).toEqual({ events, sentence: expect.stringContaining(words) });
});

it("recognises the ID of an organization or a business, and names at most three of its integrations", () => {
  const { world } = new DeliveringWorld();
  world.db.run("INSERT INTO organizations (id, name) VALUES ('organization', 'Harbour'), ('other', 'Other')");
  const business = "INSERT INTO businesses (id, organization_id, type, name) VALUES (?, ?, 'repairer', ?)";
  world.db.run(business, "site", "organization", "Harbour Repairs");
  const sentence = (integration_id: string) => describeReceived(world, { integration_id }, new Map()).sentence;
  const none = (what: string) => `This is the ID of ${what}, not of an integration. Nothing will be sent.`;
  expect(sentence("other")).toBe(none("the organization Other"));
  const instead = ` Subscribe with its integration ID: \`${INTEGRATION}\`.`;
  expect(sentence("organization")).toBe(none("the organization Harbour") + instead);
  expect(sentence("site")).toBe(none("the business Harbour Repairs") + instead);
  const more = { organization_id: "organization", scope: "supplier", client_id: null, preloaded: false } as const;
  for (const id of ["b", "c", "d"]) {
    const keys = { api_key: `sbx_${id}`, webhook_secret: `pwh_${id}`, created_at: Date.now() };
    world.stores.credentials.insert({ ...more, ...keys, integration_id: id });
  }
  expect(sentence("site").match(/`[^`]+`( or )?/g)).toHaveLength(3);
});
