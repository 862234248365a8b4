import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsClear, faultsList, faultsSet } from "../contract/control/fault-operations.ts";
import { requestsList } from "../contract/control/operations.ts";
import { operationPath, type RequestOf } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert, partsInsert, partsList } from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer);
  site = items.find((one) => one.type === "repairer_site")?.id ?? "";
});
afterAll(() => service.end());
afterEach(() => service.control(faultsClear, {}));

type Asked = RequestOf<typeof faultsSet>;
const arm = (asked: Asked) => service.control(faultsSet, asked);
const list = (by = repairer, headers: Record<string, string> = {}) => service.call(businessesList, {}, by, headers);
const statuses = async (calls: number): Promise<number[]> => {
  const all: number[] = [];
  for (let call = 0; call < calls; call += 1) all.push((await list()).status);
  return all;
};
const newest = async () => (await service.control(requestsList, { limit: 1 })).items[0];
const insertJob = (external: string, signal?: AbortSignal) =>
  service.call(jobsInsert, { identity: { external }, repairer_site_id: site }, repairer, {}, signal);
const exists = async (external: string): Promise<boolean> =>
  (await service.call(jobsGet, { identity: { external } }, repairer)).status === 200;
const soon = async (isSo: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 5_000; !(await isSo()); )
    if (Date.now() > end) throw new Error("timed out waiting for the condition");
};

describe("a fault with an error", () => {
  test("returns a code of the contract in the operation's form, without running it", async () => {
    await arm({ effect: { error: { code: "internal_error" } }, operation: jobsInsert.id });
    const answer = await insertJob("never");
    expect([answer.status, answer.body]).toEqual([
      500,
      { type: "internal_error", request_id: answer.headers.get("x-request-id") },
    ]);
    expect((await list()).status).toBe(200);
    expect(await exists("never")).toBe(false);
    await arm({ effect: { error: { code: "not_found" } } });
    const body = { job_identity: { external: "none" }, parts: [] };
    expect(await service.call(partsInsert, body, repairer)).toMatchObject({ status: 404, body: "not_found" });
    expect(await service.call(partsList, body, repairer)).toMatchObject({ status: 404, body: { type: "not_found" } });
    await service.control(faultsClear, {});
    await arm({ effect: { error: { code: "unauthorized" } } });
    expect((await list()).headers.get("www-authenticate")).toBe("Bearer");
  });

  test("returns a custom status and any body unchanged", async () => {
    await service.control(faultsClear, {});
    await arm({ effect: { error: { status: 418, code: "teapot" } } });
    expect(await list()).toMatchObject({ status: 418, body: { type: "teapot" } });
    await service.control(faultsClear, {});
    await arm({ effect: { error: { status: 502, code: "forbidden" } } });
    expect(await list()).toMatchObject({ status: 502, body: { type: "forbidden" } });
    await service.control(faultsClear, {});
    await arm({ effect: { error: {} } });
    expect(await list()).toMatchObject({ status: 503, body: { type: "unavailable" } });
  });

  test("says when to retry, like the service, to test a client's retries", async () => {
    for (const [error, status, type] of [
      [{ status: 429 }, 429, "rate_limited"],
      [{ code: "rate_limited" }, 429, "rate_limited"],
      [{ status: 503 }, 503, "unavailable"],
    ] as const) {
      await service.control(faultsClear, {});
      await arm({ effect: { error } });
      const answer = await list();
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([status, "1"]);
      expect(answer.body).toMatchObject({ type });
    }
  });

  test("may apply after the call ran, so that its change exists", async () => {
    await arm({ effect: { error: { code: "internal_error", when: "after" } }, operation: jobsInsert.id });
    expect((await insertJob("done all the same")).status).toBe(500);
    expect(await exists("done all the same")).toBe(true);
    const kept = (await service.control(requestsList, { limit: 2 })).items[1];
    expect(kept).toMatchObject({ status: 500, events: 1, faults: [{ kind: "error", when: "after" }] });
    expect(kept?.outcome).toContain("after it has run");
  });
});

describe("a fault that closes the connection", () => {
  test("before the call prevents the change, after it doesn't", async () => {
    for (const when of ["before", "after"] as const) {
      const { id } = await arm({ effect: { drop: { when } }, operation: jobsInsert.id });
      await expect(insertJob(`dropped ${when}`)).rejects.toThrow();
      const kept = await newest();
      expect(kept).toMatchObject({ status: 0, response_bytes: 0, faults: [{ id, kind: "drop", when }] });
      const { refusal } = await service.control(requestsExplain, { id: kept?.id ?? "" });
      expect(refusal?.what_to_do).toMatch(when === "after" ? /has run. Check what/ : /Send the call again/i);
      await service.control(faultsClear, {});
      expect(await exists(`dropped ${when}`)).toBe(when === "after");
    }
  });

  test("sends no byte, like a failed network", async () => {
    await arm({ effect: { drop: {} } });
    const headers = { "content-type": "application/json", authorization: "Bearer none" };
    const call = fetch(`${service.baseUrl}${operationPath(businessesList)}`, { method: "POST", headers, body: "{}" });
    await expect(call).rejects.toMatchObject({ cause: { code: "UND_ERR_SOCKET" } });
  });
});

describe("a fault with a delay", () => {
  test("holds the call for the duration, then runs it", async () => {
    await arm({ effect: { delay: { ms: 80 } } });
    const began = performance.now();
    expect((await list()).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThanOrEqual(79);
    expect(await newest()).toMatchObject({ status: 200, outcome: "read only", faults: [{ kind: "delay" }] });
  });

  test("ends when the caller disconnects, without running the call", async () => {
    await arm({ effect: { delay: { ms: 60_000 } }, operation: jobsInsert.id });
    const abort = new AbortController();
    const call = insertJob("not waited for", abort.signal);
    await soon(async () => (await service.control(faultsList, {})).items[0]?.fired === 1);
    abort.abort();
    await expect(call).rejects.toThrow();
    await soon(async () => (await newest())?.status === 0);
    expect((await newest())?.outcome).toMatch(/did not wait for it, so it never ran\.$/);
    expect(await exists("not waited for")).toBe(false);
  });

  test("after the call keeps the change even if the caller disconnects", async () => {
    await arm({ effect: { delay: { ms: 60_000, when: "after" } }, operation: jobsInsert.id });
    const abort = new AbortController();
    const call = insertJob("slow", abort.signal);
    await soon(() => exists("slow"));
    abort.abort();
    await expect(call).rejects.toThrow();
    await soon(async () => (await newest())?.operation === jobsInsert.id);
    expect(await newest()).toMatchObject({ status: 0, events: 1, faults: [{ kind: "delay", when: "after" }] });
  });

  test("releases the call when the service stops", async () => {
    const own = await startTestService();
    await own.control(faultsSet, { effect: { delay: { ms: 120_000 } } });
    const held = own.call(businessesList, {}, repairer);
    await soon(async () => (await own.control(faultsList, {})).items[0]?.fired === 1);
    await own.end();
    expect((await held).status).toBe(200);
  });

  test("combined with an error delays first", async () => {
    await arm({ effect: { error: { code: "internal_error" } } });
    await arm({ effect: { delay: { ms: 50 } } });
    await arm({ effect: { delay: { ms: 60_000, when: "after" } } });
    expect((await list()).status).toBe(500);
    expect((await newest())?.faults?.map(({ kind }) => kind)).toEqual(["delay", "error"]);
    expect((await service.control(faultsList, {})).items.map(({ fired }) => fired)).toEqual([1, 1, 0]);
  });
});

describe("a fault that hangs", () => {
  test("leaves the connection open until the caller gives up, before or after the call ran", async () => {
    for (const when of ["before", "after"] as const) {
      const { id } = await arm({ effect: { hang: { when } }, operation: jobsInsert.id });
      const abort = new AbortController();
      const call = insertJob(`hung ${when}`, abort.signal);
      await soon(async () => (await service.control(faultsList, {})).items[0]?.fired === 1);
      if (when === "after") await soon(() => exists("hung after"));
      abort.abort();
      await expect(call).rejects.toThrow();
      await soon(async () => (await newest())?.operation === jobsInsert.id && (await newest())?.faults?.[0]?.id === id);
      expect(await newest()).toMatchObject({ status: 0, response_bytes: 0, faults: [{ id, kind: "hang", when }] });
      expect((await newest())?.outcome).toContain("The caller gave up.");
      await service.control(faultsClear, {});
      expect(await exists(`hung ${when}`)).toBe(when === "after");
    }
  });

  test("closes the connection when the service stops", async () => {
    const own = await startTestService();
    await own.control(faultsSet, { effect: { hang: {} } });
    const held = own.call(businessesList, {}, repairer).then(
      () => "answered",
      () => "closed",
    );
    await soon(async () => (await own.control(faultsList, {})).items[0]?.fired === 1);
    await own.stop();
    expect(await held).toBe("closed");
    const again = await startTestService(own.folder);
    try {
      const kept = (await again.control(requestsList, { limit: 1 })).items[0];
      expect(kept).toMatchObject({ status: 0, faults: [{ kind: "hang" }] });
      expect(kept?.outcome).toContain("The connection was closed.");
    } finally {
      await again.end();
    }
  });
});

describe("a fault with a rate limit", () => {
  test("passes a number of calls per integration and window, and says when to retry", async () => {
    await arm({ effect: { rate_limit: { limit: 2, window_seconds: 30 } }, operation: businessesList.id });
    expect(await statuses(4)).toEqual([200, 200, 429, 429]);
    const refused = await list();
    expect(refused.body).toEqual({
      type: "rate_limited",
      message: expect.stringMatching(/at most 2 calls in 30 s/),
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(30);
    expect((await list(supplier)).status).toBe(200);
    expect((await service.control(faultsList, {})).items[0]).toMatchObject({ matched: 6, fired: 3, state: "armed" });
  });

  test("passes calls again in the next window", async () => {
    await arm({ effect: { rate_limit: { limit: 1, window_seconds: 1 } } });
    expect(await statuses(2)).toEqual([200, 429]);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await list()).status).toBe(200);
  });
});
