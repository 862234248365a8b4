import { expect, test } from "vitest";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";
import { RawConnection, rawHead, rawRequest } from "../testing/raw-connection.ts";

const mine = credentialHeaders(repairer);
const job = (external: string): string =>
  JSON.stringify({ identity: { external }, repairer_site_id: "27dd09b9-f7a0-507e-99fd-e42e88e60a99" });

/** A write whose headers have arrived and whose body is outstanding. */
const inFlight = async (service: TestService, body: string): Promise<RawConnection> => {
  const connection = await RawConnection.open(service.port);
  const headers = { ...mine, expect: "100-continue", "content-length": String(body.length) };
  await connection
    .send(rawHead(`POST ${operationPath(jobsInsert)}`, headers))
    .until((received) => received.startsWith("HTTP/1.1 100 Continue"));
  return connection;
};

/** Resolves when nothing listens on the port. */
const noLongerListens = async (port: number): Promise<void> => {
  for (;;) {
    const connection = await RawConnection.open(port).catch(() => null);
    if (connection === null) return;
    connection.close();
  }
};

// A stop that waits unnecessarily exceeds the test's time limit.
test("stopping doesn't wait for unused and kept-alive connections", async () => {
  const service = await startTestService(undefined, { limits: { stopMs: 60_000 } });
  const [unused, kept] = [await RawConnection.open(service.port), await RawConnection.open(service.port)];
  await kept.send(rawRequest(`POST ${operationPath(businessesList)}`, mine)).answers(1);
  await service.end();
  await Promise.all([unused.ended, kept.ended]);
});

test("stopping refuses new calls, responds to current ones, then closes their connections", async () => {
  const service = await startTestService();
  const body = job("in-flight");
  const [first, second] = [await inFlight(service, body), await inFlight(service, job("in-flight-2"))];
  let stopped = false;
  const stopping = service.end().then(() => {
    stopped = true;
  });
  await noLongerListens(service.port);
  expect(stopped).toBe(false);
  first.send(body);
  const [, answer] = await first.answers(2);
  expect(answer?.status).toBe(200);
  expect(answer?.body).toContain('"external_id":"in-flight"');
  expect(stopped).toBe(false);
  second.send(job("in-flight-2"));
  expect((await second.answers(2))[1]?.body).toContain('"external_id":"in-flight-2"');
  await stopping;
  await Promise.all([first.ended, second.ended]);
});

test("stopping abandons a stalled request", async () => {
  const service = await startTestService(undefined, { limits: { stopMs: 50 } });
  const [stalled, silent] = [await inFlight(service, job("stalled")), await RawConnection.open(service.port)];
  silent.send(`POST ${operationPath(jobsInsert)} HTTP/1.1\r\n`);
  await service.end();
  await Promise.all([stalled.ended, silent.ended]);
});

test("stopping ends the readers of the live feed", async () => {
  const service = await startTestService();
  const authorization = `Bearer ${service.ready.control_token}`;
  const reader = (await RawConnection.open(service.port)).send(rawHead("GET /__sandbox/live", { authorization }));
  await reader.until((received) => received.includes("event: ready"));
  await service.end();
  await reader.ended;
});

test("stopping twice, even concurrently, has no further effect", async () => {
  const service = await startTestService();
  await Promise.all([service.stop(), service.stop()]);
  await service.end();
  await expect(RawConnection.open(service.port)).rejects.toThrow(/ECONNREFUSED/);
});
