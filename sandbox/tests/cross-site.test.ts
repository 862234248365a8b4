import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestsList, subscriptionsList } from "../contract/control/operations.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { RawConnection, rawRequest } from "../testing/raw-connection.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const body = JSON.stringify({ integration_id: repairer.integration_id, url: "http://127.0.0.1:9/hook" });
/** Sends headers as a browser does, including those scripts can't set. */
const send = async (line: string, headers: Record<string, string>, content = body) => {
  const connection = await RawConnection.open(service.port);
  const [answer] = await connection.send(rawRequest(line, headers, content)).answers(1);
  connection.close();
  return answer;
};
const writes = [
  "POST /__webhooks/subscribe",
  "POST /api/2026-01/businesses.list",
  "POST /__sandbox/worlds.list",
  "POST /__sandbox/mcp",
  "POST /__oauth/authorize",
  "PUT /__uploads/5d13b09f-bd2f-5acc-a5f9-1c9743fa15c6",
];

describe("D90: a page of another site", () => {
  test.each(writes)("changes nothing by %s", async (line) => {
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `http://127.0.0.1:${service.port + 1}`, "sec-fetch-site": "same-site" },
      { origin: "not an origin" },
    ]) {
      const answer = await send(line, headers as unknown as Record<string, string>);
      expect([answer?.status, JSON.parse(answer?.body ?? "")]).toEqual([
        403,
        { type: "forbidden", message: expect.stringContaining("other sites") },
      ]);
    }
    expect((await service.control(subscriptionsList, {})).items).toEqual([]);
  });

  test("is recorded with its attempt, and may navigate a browser here", async () => {
    await send("POST /__webhooks/subscribe", { "sec-fetch-site": "cross-site" });
    const { items } = await service.control(requestsList, { limit: 1 });
    expect(items[0]).toMatchObject({ status: 403, error_code: "forbidden", unrouted: "host" });
    for (const line of ["GET /__health", "GET /__oauth/authorize?client_id=nobody"])
      expect((await send(line, { "sec-fetch-site": "cross-site" }, ""))?.status).not.toBe(403);
  });
});

test("D90: gets the operation's error form: the bare code where parts are inserted", async () => {
  for (const id of ["repairer.jobs.parts.insert", "repairer.jobs.parts.list"]) {
    const answer = await send(`POST /api/2026-01/${id}`, { "sec-fetch-site": "cross-site" });
    const said = id.endsWith("insert") ? "forbidden" : expect.objectContaining({ type: "forbidden" });
    expect([id, answer?.status, JSON.parse(answer?.body ?? "")]).toEqual([id, 403, said]);
  }
  // An undeclared error isn't bare.
  const line = "POST /api/2026-01/repairer.jobs.parts.insert";
  const answer = await send(line, { host: "evil.example" });
  expect([answer?.status, JSON.parse(answer?.body ?? "")]).toMatchObject([421, { type: "misdirected_request" }]);
});

test("D90: the explorer's own origin and programs without an origin are accepted", async () => {
  const { port } = service;
  const own = { "x-sandbox-tenant": "own-origin" };
  for (const headers of [
    {},
    { "sec-fetch-site": "none" },
    { host: `localhost:${port}`, origin: `http://localhost:${port}`, "sec-fetch-site": "same-origin" },
    { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` },
  ])
    expect((await send("POST /__webhooks/subscribe", { ...headers, ...own } as Record<string, string>))?.status).toBe(
      200,
    );
});
