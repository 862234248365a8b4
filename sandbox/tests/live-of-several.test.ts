import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { clockAdvance, worldsDelete, worldsReset } from "../contract/control/world-operations.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { type FeedMessage, FeedReader } from "../testing/feed-reader.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer);
  site = items.find((one) => one.type === "repairer_site")?.id ?? "";
});
afterAll(() => service.end());
beforeEach(async () => {
  await service.make("qa");
  await service.make("spare");
});

const insert = (world: string, external: string) =>
  service.ok(jobsInsert, { identity: { external }, repairer_site_id: site }, repairer, { "x-sandbox-tenant": world });

/** Messages of one world, in order. */
const messagesOf = ({ messages }: FeedReader, world: string): FeedMessage[] => {
  let of = "";
  return messages.filter(({ event, data }) => {
    if (event === "of_world") of = (data as { readonly world: string }).world;
    return event !== "of_world" && of === world;
  });
};
const eventsOf = (feed: FeedReader, world: string): string[] => messagesOf(feed, world).map(({ event }) => event);
const has = (feed: FeedReader, world: string, text: string): boolean =>
  messagesOf(feed, world).some(({ data }) => JSON.stringify(data).includes(text));

test("one connection carries the feeds of several worlds and names each entry's world", async () => {
  const feed = await FeedReader.open(service, "worlds=qa,spare,default");
  for (const world of ["qa", "spare", "default"])
    await expect.poll(() => eventsOf(feed, world)[0], { message: world }).toBe("ready");
  for (const world of ["qa", "spare", "default"]) await insert(world, `of-${world}`);
  for (const world of ["qa", "spare", "default"])
    await expect.poll(() => has(feed, world, `of-${world}`), { message: world }).toBe(true);
  for (const world of ["qa", "spare"]) expect(has(feed, world, "of-default"), world).toBe(false);
  feed.close();
});

test("a change of a world itself is an ordinary entry", async () => {
  const feed = await FeedReader.open(service, "worlds=qa,spare");
  await expect.poll(() => eventsOf(feed, "qa")[0]).toBe("ready");
  await service.control(clockAdvance, { world: "qa", seconds: 60 });
  await expect.poll(() => eventsOf(feed, "qa")).toContain("world");
  expect(eventsOf(feed, "spare")).not.toContain("world");
  feed.close();
});

test("each world resumes after its own ID, without gaps or repeats", async () => {
  const first = await FeedReader.open(service, "worlds=qa,spare");
  await insert("qa", "before");
  await expect.poll(() => has(first, "qa", "before")).toBe(true);
  first.close();
  const last = Math.max(...messagesOf(first, "qa").flatMap(({ id }) => id ?? []));
  await insert("qa", "missed");
  const second = await FeedReader.open(service, `worlds=qa:${last},spare`);
  await expect.poll(() => has(second, "qa", "missed")).toBe(true);
  const ids = messagesOf(second, "qa").flatMap(({ id }) => id ?? []);
  expect(Math.min(...ids)).toBeGreaterThan(last);
  expect(new Set(ids).size).toBe(ids.length);
  expect(eventsOf(second, "qa")).not.toContain("reset");
  second.close();
});

test("a reset of one world doesn't affect the others", async () => {
  const feed = await FeedReader.open(service, "worlds=qa,spare");
  await expect.poll(() => eventsOf(feed, "qa")[0]).toBe("ready");
  await service.control(worldsReset, { world: "qa" });
  await expect.poll(() => eventsOf(feed, "qa")).toContain("reset");
  expect(eventsOf(feed, "spare")).not.toContain("reset");
  feed.close();
});

test("a missing world is named, and starts when it is created", async () => {
  await service.control(worldsDelete, { world: "spare" });
  const feed = await FeedReader.open(service, "worlds=spare,qa");
  await expect.poll(() => eventsOf(feed, "qa")[0]).toBe("ready");
  expect(eventsOf(feed, "spare")).toEqual(["missing"]);
  expect(feed.messages.find(({ event }) => event === "missing")?.data).toMatchObject({ is_there: false });
  await insert("spare", "made-again");
  await expect.poll(() => eventsOf(feed, "spare"), { timeout: 5_000 }).toContain("ready");
  feed.close();
});

test.for([
  "worlds=",
  "worlds=qa,,spare",
  "worlds=qa:1:2",
  "worlds=n!",
  "worlds=qa&worlds=spare",
  `worlds=${Array.from({ length: 65 }, (_, index) => `w${index}`).join(",")}`,
])("refuses %s, naming the parameter", async (query) => {
  const answer = await fetch(`${service.baseUrl}/__sandbox/live?${query}`, {
    headers: { authorization: `Bearer ${service.ready.control_token}` },
  });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("The parameter worlds");
});

test("a world token opens only its own world, even in a list", async () => {
  const { token } = await service.control(tokensCreate, { name: "qa team", world: "qa", scope: "view" });
  const open = (worlds: string) =>
    fetch(`${service.baseUrl}/__sandbox/live?worlds=${worlds}`, { headers: { authorization: `Bearer ${token}` } });
  expect((await open("qa,spare")).status).toBe(403);
  const own = await open("qa");
  expect(own.status).toBe(200);
  await own.body?.cancel();
});

test("the streams of several worlds end when the service stops", async () => {
  const own = await startTestService();
  await own.make("qa");
  const feed = await FeedReader.open(own, "worlds=qa,default");
  await expect.poll(() => eventsOf(feed, "qa")[0]).toBe("ready");
  const before = performance.now();
  await own.end();
  await feed.ended;
  // The stop doesn't wait its eight seconds for an open stream.
  expect(performance.now() - before).toBeLessThan(7_000);
});
