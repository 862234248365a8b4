import { afterAll, beforeAll, expect, test } from "vitest";
import { jobsList, procurementsList } from "../contract/control/operations.ts";
import { worldsReset } from "../contract/control/world-operations.ts";
import type { LiveEntry } from "../contract/live.ts";
import { businessesList, jobsDelete, jobsInsert, procurementsCancel } from "../contract/operations/partner.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer);
  site = items.find((one) => one.type === "repairer_site")?.id ?? "";
});
afterAll(() => service.end());

interface Message {
  readonly id: number | null;
  readonly event: string;
  readonly data: unknown;
}

const field = (block: string, name: string): string | null =>
  block
    .split("\n")
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2) ?? null;

/** Reads the feed until `enough` returns true. */
const listen = async (
  enough: (messages: readonly Message[]) => boolean,
  lastId?: number | string,
): Promise<Message[]> => {
  const headers = {
    authorization: `Bearer ${service.ready.control_token}`,
    ...(lastId === undefined ? {} : { "last-event-id": String(lastId) }),
  };
  const abort = new AbortController();
  const response = await fetch(`${service.baseUrl}/__sandbox/live`, { headers, signal: abort.signal });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const messages: Message[] = [];
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk);
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      if (block.startsWith(":")) continue;
      const id = field(block, "id");
      messages.push({
        id: id === null ? null : Number(id),
        event: field(block, "event") ?? "",
        data: JSON.parse(field(block, "data") ?? "null"),
      });
    }
    if (enough(messages)) break;
  }
  abort.abort();
  return messages;
};

const insert = (external: string) =>
  service.ok(jobsInsert, { identity: { external }, repairer_site_id: site }, repairer);
const ids = (messages: readonly Message[]): number[] => messages.flatMap((message) => message.id ?? []);

test("shows the newest first, then new entries, each with its trace", async () => {
  const reader = await FeedReader.connect(service);
  const answer = await service.call(jobsInsert, { identity: { external: "live-1" }, repairer_site_id: site }, repairer);
  const trace = answer.headers.get("x-request-id");
  await reader.until(({ messages }) =>
    messages.some((one) => one.event === "request" && (one.data as LiveEntry).trace_id === trace),
  );
  reader.close();
  const { messages } = reader;
  expect(messages[0]).toMatchObject({ event: "ready", data: { world: "default" } });
  const mine = messages.filter((one) => one.id !== null && (one.data as LiveEntry).trace_id === trace);
  expect(mine.map((one) => one.event)).toEqual(["state", "event", "request"]);
  expect(mine[0]?.data).toMatchObject({
    data: { entity: "job", change: "inserted", before: null, after: { id: answer.body.id, external_id: "live-1" } },
  });
});

test("a change contains the new list row, or null after a deletion", async () => {
  const withTrace = (messages: readonly Message[], trace: string | null) =>
    messages.flatMap(({ event, data }) => {
      const entry = data as LiveEntry;
      return event === "state" && entry.kind === "state" && entry.trace_id === trace ? [entry.data] : [];
    });
  const reading = listen((messages) => messages.some(({ data }) => JSON.stringify(data).includes('"job":null')));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const inserted = await service.call(
    jobsInsert,
    { identity: { external: "live-rows" }, repairer_site_id: site, job_number: "ROWS-1" },
    repairer,
  );
  const { id } = inserted.body as { readonly id: string };
  const [row] = (await service.control(jobsList, { ids: [id] })).items;
  const [order] = (await service.control(procurementsList, { status: "order_requested", limit: 1 })).items;
  const cancelled = await service.call(procurementsCancel, { identity: { id: order?.id ?? "" } }, repairer);
  const deleted = await service.call(jobsDelete, { identity: { id } }, repairer);
  const messages = await reading;
  expect(row).toMatchObject({ job_number: "ROWS-1", chassis_number: null, plate_number: null, plate_state: null });
  expect(order).toMatchObject({
    job_number: expect.stringMatching(/^J-/),
    total: expect.stringMatching(/^\d+\.\d\d$/),
  });
  expect(withTrace(messages, inserted.headers.get("x-request-id"))).toMatchObject([{ entity: "job", job: row }]);
  expect(withTrace(messages, inserted.headers.get("x-request-id"))[0]).not.toHaveProperty("procurement");
  expect(withTrace(messages, cancelled.headers.get("x-request-id"))).toContainEqual(
    expect.objectContaining({
      entity: "procurement",
      procurement: (await service.control(procurementsList, { ids: [order?.id ?? ""] })).items[0],
      job: (await service.control(jobsList, { ids: [order?.job_id ?? ""] })).items[0],
    }),
  );
  expect(withTrace(messages, deleted.headers.get("x-request-id"))).toMatchObject([{ entity: "job", job: null }]);
});

test("resumes after the last ID without gaps or repeats, even after a restart's worth of missed entries", async () => {
  await insert("live-before-missed");
  const first = await listen((messages) => messages.length > 3);
  const last = ids(first).at(-1) ?? 0;
  for (let index = 0; index < 10; index += 1) await insert(`live-missed-${index}`);
  const second = await listen((messages) => ids(messages).length >= 20, last);
  expect(second[0]?.event).toBe("ready");
  expect(ids(second)[0]).toBe(last + 1);
  expect(ids(second)).toEqual(ids(second).map((_, index) => last + 1 + index));
});

test("sends a reset if it can't resume after an unreadable ID", async () => {
  await insert("live-readable");
  const last = ids(await listen((messages) => ids(messages).length > 0)).at(-1) ?? 0;
  for (const unreadable of ["x", "-1", "1.5", `${last}z`, `${last}, ${last}`, "9".repeat(30)]) {
    const messages = await listen((all) => all.length >= 3, unreadable);
    expect(
      messages.slice(0, 2).map(({ event }) => event),
      unreadable,
    ).toEqual(["ready", "reset"]);
  }
});

test("a reset of the world reaches its readers, and no ID is reused", async () => {
  await insert("live-before-reset");
  const reading = listen((messages) => messages.some((one) => one.event === "reset"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  await service.control(worldsReset, {});
  const before = await reading;
  await insert("live-after-reset");
  const after = await listen((messages) => ids(messages).length >= 2);
  expect(Math.min(...ids(after))).toBeGreaterThan(Math.max(...ids(before)));
});
