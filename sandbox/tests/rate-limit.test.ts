import { afterEach, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { requestsList, requestsReplay } from "../contract/control/operations.ts";
import { listenAnswer } from "../contract/control/receiver-operations.ts";
import { tokensCreate, tokensCurrent } from "../contract/control/service-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList } from "../contract/operations/partner.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  startTestService,
  supplier,
  type TestService,
} from "../testing/harness.ts";

let service: TestService;
afterEach(() => service.end());

const list = operationPath(businessesList);
const mine = credentialHeaders(repairer);
const theirs = credentialHeaders(supplier);

/** Sends calls at once. @returns the count of each status, and the last refusal */
const calls = async (count: number, headers: Record<string, string>) => {
  const answers = await Promise.all(Array.from({ length: count }, () => service.post(list, {}, headers)));
  const statuses: Record<number, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    statuses,
    refused: answers.find(({ status }) => status === 429) as ServiceResponse<{ message: string }> | undefined,
  };
};

test("D11: is off by default", async () => {
  service = await startTestService();
  expect((await calls(300, mine)).statuses).toEqual({ 200: 300 });
});

test("a call above it gets 429 with the seconds to wait, for one key only, and is recorded with the reason", async () => {
  service = await startTestService(undefined, { callsPerMinute: 20 });
  const { statuses, refused } = await calls(30, mine);
  expect(statuses).toEqual({ 200: 20, 429: 10 });
  const seconds = Number(refused?.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(refused?.body).toEqual({
    type: "rate_limited",
    message: `This sandbox takes 20 calls a minute. Try again in ${seconds} s.`,
  });
  expect((await calls(5, theirs)).statuses).toEqual({ 200: 5 });
  const { items } = await service.control(requestsList, { error_code: "rate_limited" });
  expect(items).toHaveLength(10);
  expect(items[0]).toMatchObject({ integration_id: repairer.integration_id, unrouted: "rate_limited", status: 429 });
  const explained = await service.control(requestsExplain, { id: items[0]?.id ?? "" });
  expect(explained.refusal).toMatchObject({
    whose_side: "partner",
    what_to_do: expect.stringContaining("Retry-After"),
  });
});

test("invalid keys are counted together by address, even behind a trusted proxy", async () => {
  service = await startTestService(undefined, { callsPerMinute: 10, trustedProxies: ["127.0.0.0/8"] });
  const from = (address: string, key: string) => ({ authorization: `Bearer ${key}`, "x-forwarded-for": address });
  const first = await calls(6, from("203.0.113.7", "one"));
  const second = await calls(6, from("203.0.113.7", "another"));
  expect([first.statuses, second.statuses]).toEqual([{ 401: 6 }, { 401: 4, 429: 2 }]);
  expect((await calls(6, from("203.0.113.8", "one"))).statuses).toEqual({ 401: 6 });
  expect((await calls(6, mine)).statuses).toEqual({ 200: 6 });
});

test("addresses of one IPv6 network are counted together, because a customer has 2^64 of them", async () => {
  service = await startTestService(undefined, { callsPerMinute: 10, trustedProxies: ["127.0.0.0/8"] });
  const from = (address: string) => calls(6, { "x-forwarded-for": address });
  const [first, second] = [await from("2001:db8:1:2::1"), await from("2001:db8:1:2:ffff::7")];
  expect([first.statuses, second.statuses]).toEqual([{ 401: 6 }, { 401: 4, 429: 2 }]);
  expect((await from("2001:db8:1:3::1")).statuses).toEqual({ 401: 6 });
  const mapped = [await from("203.0.113.9"), await from("::ffff:203.0.113.9")];
  expect(mapped.map(({ statuses }) => statuses)).toEqual([{ 401: 6 }, { 401: 4, 429: 2 }]);
});

test("a replay counts only for this machine's address, whatever its headers", async () => {
  service = await startTestService(undefined, { callsPerMinute: 10, trustedProxies: ["127.0.0.0/8"] });
  const there = { "x-forwarded-for": "203.0.113.7" };
  const first = await service.post(list, {}, there);
  const id = first.headers.get("x-request-id") ?? "";
  const headers = [["x-forwarded-for", "203.0.113.7"]] as [string, string][];
  for (const more of [{}, ...Array.from({ length: 9 }, () => ({ headers }))])
    await service.control(requestsReplay, { id, ...more });
  expect((await calls(9, there)).statuses).toEqual({ 401: 9 });
});

test("X-Forwarded-For is ignored unless it comes from a trusted address", async () => {
  service = await startTestService(undefined, { callsPerMinute: 10 });
  const [first, second] = [
    await calls(6, { "x-forwarded-for": "203.0.113.7" }),
    await calls(6, { "x-forwarded-for": "203.0.113.8" }),
  ];
  expect([first.statuses, second.statuses]).toEqual([{ 401: 6 }, { 401: 4, 429: 2 }]);
});

test("a world token counts in any header, and a key across all worlds", async () => {
  service = await startTestService(undefined, { callsPerMinute: 10 });
  await service.make("acme");
  const { token } = await service.control(tokensCreate, { world: "acme", name: "Acme", scope: "view" });
  const asked = await Promise.all(
    Array.from({ length: 6 }, () => service.call(tokensCurrent, {}, undefined, { authorization: `Bearer ${token}` })),
  );
  expect(asked.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  expect((await calls(6, { "x-sandbox-observer": token })).statuses).toEqual({ 401: 4, 429: 2 });
  const [here, there] = [await calls(6, mine), await calls(6, { ...mine, "x-sandbox-tenant": "new-world" })];
  expect([here.statuses, there.statuses]).toEqual([{ 200: 6 }, { 200: 4, 429: 2 }]);
});

test("the explorer's own reads are never recorded, even above the limit", async () => {
  service = await startTestService(undefined, { callsPerMinute: 5 });
  const { token } = await service.control(tokensCreate, { world: "default", name: "Looks", scope: "view" });
  expect((await calls(8, { ...mine, "x-sandbox-observer": token })).statuses).toEqual({ 200: 5, 429: 3 });
  expect((await service.control(requestsList, {})).items).toEqual([]);
});

test("a developer machine's responses are unlimited with a token, and limited without one", async () => {
  service = await startTestService(undefined, { callsPerMinute: 5 });
  await service.make("acme");
  const { token } = await service.control(tokensCreate, { world: "acme", name: "Acme", scope: "act" });
  const answer = (authorization: string) =>
    service.call(
      listenAnswer,
      {
        ...{ world: "acme", id: repairer.integration_id, response_status: 200 },
        ...{ response_headers: [], response_body_base64: "", error: null },
      },
      undefined,
      { authorization },
    );
  for (let count = 0; count < 10; count += 1) expect((await answer(`Bearer ${token}`)).status).toBe(200);
  expect((await calls(6, { authorization: `Bearer ${token}` })).statuses).toEqual({ 401: 5, 429: 1 });
  expect((await answer(`Bearer ${token}`)).status).toBe(200);
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) statuses.push((await answer("Bearer nobody")).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
});

test("a refused response of a developer machine counts, and so do later ones", async () => {
  service = await startTestService(undefined, { callsPerMinute: 5 });
  for (const world of ["acme", "other"]) await service.make(world);
  const made = await service.control(tokensCreate, { world: "acme", name: "Acme", scope: "act" });
  const authorization = `Bearer ${made.token}`;
  const answer = async (world: string): Promise<number> => {
    const body = { response_status: 200, response_headers: [], response_body_base64: "", error: null };
    const all = { world, id: repairer.integration_id, ...body };
    return (await service.call(listenAnswer, all, undefined, { authorization })).status;
  };
  for (let count = 0; count < 5; count += 1) expect(await answer("other")).toBe(403);
  expect(await answer("acme")).toBe(200);
  expect(await answer("other")).toBe(403);
  await expect.poll(() => answer("acme")).toBe(429);
  expect((await calls(1, { authorization })).statuses).toEqual({ 429: 1 });
});

test("the control token and health checks are not counted", async () => {
  service = await startTestService(undefined, { callsPerMinute: 5 });
  for (let count = 0; count < 20; count += 1) {
    await service.control(requestsList, {});
    expect((await service.raw("/__health", { method: "GET" })).status).toBe(200);
  }
  expect((await calls(6, mine)).statuses).toEqual({ 200: 5, 429: 1 });
});
