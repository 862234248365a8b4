import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_PINNED_CALLS, requestsAnnotate } from "../contract/control/explain-operations.ts";
import { requestsList } from "../contract/control/operations.ts";
import type { RequestOf } from "../contract/operation.ts";
import { businessesList } from "../contract/operations/partner.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.end());

const call = async () => (await service.call(businessesList, {}, repairer)).headers.get("x-request-id") ?? "";
const annotate = (asked: RequestOf<typeof requestsAnnotate>) => service.control(requestsAnnotate, asked);
const refused = (asked: RequestOf<typeof requestsAnnotate>) =>
  service.call(requestsAnnotate, asked, undefined, { authorization: `Bearer ${service.ready.control_token}` });

test("an exchange can be pinned and noted independently, and is listed so", async () => {
  const id = await call();
  const plain = (await service.control(requestsList, { ids: [id] })).items[0];
  const reader = await FeedReader.connect(service, null);
  const pinned = { ...plain, pinned: true };
  expect(await annotate({ id: id.toUpperCase(), pinned: true })).toEqual(pinned);
  expect(await annotate({ id, note: "ask them <b>why</b>" })).toEqual({ ...pinned, note: "ask them <b>why</b>" });
  expect((await service.control(requestsList, { pinned: true })).items).toEqual([
    { ...pinned, note: "ask them <b>why</b>" },
  ]);
  await reader.until(({ entries }) => entries.some(({ data }) => "what" in data && data.what === "requests"));
  reader.close();
  expect(await annotate({ id, pinned: false })).toEqual({ ...plain, note: "ask them <b>why</b>" });
  expect(await annotate({ id, note: null })).toEqual(plain);
});

test("refuses unknown calls, empty changes, and too many pins", async () => {
  const id = await call();
  expect((await refused({ id: "5d13b09f-bd2f-5acc-a5f9-1c9743fa15c6", pinned: true })).status).toBe(404);
  expect(await refused({ id })).toMatchObject({ status: 400, body: { message: expect.stringContaining("/pinned") } });
  for (let count = 0; count < MAX_PINNED_CALLS; count += 1) await annotate({ id: await call(), pinned: true });
  expect(await refused({ id, pinned: true })).toMatchObject({ status: 422, body: { type: "unprocessable" } });
  const [last] = (await service.control(requestsList, { pinned: true, limit: 1 })).items;
  expect((await annotate({ id: last?.id ?? "", pinned: true })).pinned).toBe(true);
  await annotate({ id: last?.id ?? "", pinned: false });
  expect((await annotate({ id, pinned: true })).pinned).toBe(true);
});
