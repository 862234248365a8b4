import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { faultsClear, faultsList, faultsSet } from "../contract/control/fault-operations.ts";
import { requestsGet, tracesGet } from "../contract/control/operations.ts";
import { worldsReset } from "../contract/control/world-operations.ts";
import type { RequestOf } from "../contract/operation.ts";
import { businessesList } from "../contract/operations/partner.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());
afterEach(() => service.control(faultsClear, {}));

type Asked = RequestOf<typeof faultsSet>;
const arm = (asked: Asked) => service.control(faultsSet, asked);
const token = () => ({ authorization: `Bearer ${service.ready.control_token}` });
const list = (by = repairer, headers: Record<string, string> = {}) => service.call(businessesList, {}, by, headers);
const statuses = async (calls: number): Promise<number[]> => {
  const all: number[] = [];
  for (let call = 0; call < calls; call += 1) all.push((await list()).status);
  return all;
};

describe("calls that a fault affects", () => {
  const error = { error: { status: 500 } } as const;

  test("only the nth", async () => {
    await arm({ effect: error, calls: { nth: 3 } });
    expect(await statuses(5)).toEqual([200, 200, 500, 200, 200]);
    expect((await service.control(faultsList, {})).items).toMatchObject([
      { state: "used_up", matched: 3, fired: 1, left: 0, calls: { nth: 3 } },
    ]);
  });

  test("only those of one known integration, never the control plane or another world", async () => {
    await arm({ effect: error, integration_id: repairer.integration_id.toUpperCase() });
    expect((await list()).status).toBe(500);
    expect((await list(supplier)).status).toBe(200);
    expect((await list({ ...repairer, api_key: "sbx_wrong" })).status).toBe(401);
    expect((await list(repairer, { "x-sandbox-tenant": "elsewhere" })).status).toBe(200);
    expect((await service.control(faultsList, {})).items[0]).toMatchObject({ matched: 1, fired: 1 });
  });

  test("until it is used up, expired or cleared", async () => {
    await arm({ effect: error, uses: 2 });
    expect(await statuses(3)).toEqual([500, 500, 200]);
    const timed = await arm({ effect: error, for_seconds: 1 });
    expect(await statuses(1)).toEqual([500]);
    await new Promise((resolve) => setTimeout(resolve, Date.parse(timed.expires_at ?? "") - Date.now() + 5));
    expect(await statuses(1)).toEqual([200]);
    const { id } = await arm({ effect: error });
    expect((await service.control(faultsList, {})).items.map(({ state, left }) => [state, left])).toEqual([
      ["used_up", 0],
      ["expired", null],
      ["armed", null],
    ]);
    expect(await service.control(faultsClear, { id })).toEqual({ cleared: 1 });
    expect(await statuses(1)).toEqual([200]);
    expect(await service.control(faultsClear, {})).toEqual({ cleared: 2 });
  });
});

test("every hit is in the trace of its call, and the stored request names the fault", async () => {
  const fault = await arm({ name: "Monday", effect: { error: { code: "bad_request" } }, uses: 3 });
  const answer = await list();
  const id = answer.headers.get("x-request-id") ?? "";
  const mark = { id: fault.id, kind: "error", when: "before" };
  expect(await service.control(requestsGet, { id })).toMatchObject({
    status: 400,
    error_code: "bad_request",
    integration_id: repairer.integration_id,
    side: "repairer",
    faults: [mark],
    response_body: answer.text,
  });
  expect(await service.control(tracesGet, { id })).toMatchObject({
    request: { faults: [mark] },
    faults: [
      {
        fault_id: fault.id,
        name: "Monday",
        kind: "error",
        when: "before",
        operation: businessesList.id,
        integration_id: repairer.integration_id,
        number: 1,
        left: 2,
        sentence: "Returned bad_request without running.",
      },
    ],
  });
});

test("every hit is on the live feed with its trace, and so is every change of faults", async () => {
  const world = "watched";
  const reader = await FeedReader.connect(service, null, world);
  onTestFinished(() => reader.close());
  await service.control(faultsSet, { world, effect: { error: { code: "forbidden" } } });
  const answer = await list(repairer, { "x-sandbox-tenant": world });
  await reader.until(({ events }) => events.includes("request"));
  const trace_id = answer.headers.get("x-request-id");
  expect(reader.entries).toMatchObject([
    { kind: "world", data: { what: "faults" } },
    { kind: "fault", trace_id, data: { kind: "error", number: 1 } },
    { kind: "request", trace_id, data: { status: 403, faults: [{ kind: "error" }] } },
  ]);
});

test("an invalid fault is refused with the field and changes nothing", async () => {
  await arm({ effect: { error: { code: "forbidden" } } });
  const before = (await service.control(faultsList, {})).items;
  const bad: [field: string, asked: unknown][] = [
    ["/effect", {}],
    ["/effect", { effect: {} }],
    ["/effect", { effect: { drop: {}, delay: { ms: 1 } } }],
    ["/effect/error/status", { effect: { error: { status: 200 } } }],
    ["/effect/error/code", { effect: { error: { code: "No Code" } } }],
    ["/effect/delay/ms", { effect: { delay: { ms: 120_001 } } }],
    ["/effect/drop/when", { effect: { drop: { when: "never" } } }],
    ["/effect/rate_limit/window_seconds", { effect: { rate_limit: { limit: 1 } } }],
    ["/operation", { effect: { drop: {} }, operation: "worlds.reset" }],
    ["/operation", { effect: { drop: {} }, operation: "constructor" }],
    ["/integration_id", { effect: { drop: {} }, integration_id: "5d13b09f-bd2f-5acc-a5f9-1c9743fa15c6" }],
    ["/calls/nth", { effect: { drop: {} }, calls: { nth: 0 } }],
    ["/calls", { effect: { rate_limit: { limit: 1, window_seconds: 1 } }, calls: { nth: 1 } }],
    ["/uses", { effect: { drop: {} }, uses: 0 }],
  ];
  for (const [field, asked] of bad) {
    const answer = await service.post<{ message: string }>("/__sandbox/faults.set", asked, token());
    expect([400, 404], JSON.stringify(asked)).toContain(answer.status);
    expect(answer.body.message, JSON.stringify(asked)).toMatch(new RegExp(`^${field} `));
  }
  expect((await service.control(faultsList, {})).items).toEqual(before);
});

test("a world has at most a hundred armed faults, without used-up ones", async () => {
  for (let count = 0; count < 99; count += 1) await arm({ effect: { drop: {} }, operation: "tier1.prepare" });
  await arm({ effect: { error: { status: 500 } }, uses: 1 });
  const full = { effect: { drop: {} }, operation: "tier1.prepare" };
  expect(await service.call(faultsSet, full, undefined, token())).toMatchObject({ status: 400 });
  expect(await statuses(1)).toEqual([500]);
  await arm(full);
  expect((await service.control(faultsList, {})).items.map(({ operation }) => operation)).toEqual(
    Array.from({ length: 100 }, () => "tier1.prepare"),
  );
});

test("a reset world has no faults", async () => {
  await arm({ effect: { drop: {} } });
  await service.control(worldsReset, {});
  expect((await service.control(faultsList, {})).items).toEqual([]);
  expect((await list()).status).toBe(200);
});

test("faults and their counts survive a restart", async () => {
  const own = await startTestService();
  const call = async (at: TestService) => (await at.call(businessesList, {}, repairer)).status;
  await own.control(faultsSet, { effect: { error: { status: 500 } }, calls: { nth: 3 } });
  expect([await call(own), await call(own)]).toEqual([200, 200]);
  await own.stop();
  const again = await startTestService(own.folder);
  try {
    expect((await again.control(faultsList, {})).items).toMatchObject([{ matched: 2, state: "armed" }]);
    expect([await call(again), await call(again)]).toEqual([500, 200]);
  } finally {
    await again.end();
  }
});
