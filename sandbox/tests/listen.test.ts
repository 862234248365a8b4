import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import {
  accessCodesIssue,
  deliveriesGet,
  deliveriesList,
  organizationsList,
  subscriptionsList,
} from "../contract/control/operations.ts";
import { drillsRunAll, listenAnswer } from "../contract/control/receiver-operations.ts";
import { tokensCreate, tokensCurrent, tokensRevoke } from "../contract/control/service-operations.ts";
import { policiesSet, worldSummary } from "../contract/control/world-operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { integrationsInsert, jobsInsert } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import { repairer, startTestService, type TestService, temporaryFolder } from "../testing/harness.ts";
import { ownSite, placeOrder } from "../testing/order.ts";
import { CommandProcess, serveCommand } from "../testing/process.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";
import { selfSigned } from "../testing/self-signed.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const NOBODY = { SANDBOX_BASE_URL: "", SANDBOX_CONTROL_TOKEN: "", SANDBOX_READY_FILE: "", SANDBOX_DATA: "" };
const started = async (): Promise<TestService> => {
  const service = await startTestService();
  ends.push(() => service.end());
  return service;
};
const startMachine = async (): Promise<RecordingReceiver> => {
  const server = await RecordingReceiver.start();
  ends.push(() => server.stop());
  return server;
};
/** Runs the command against the service. @param token the control token by default */
const listen = (
  { baseUrl, ready }: TestService,
  args: readonly string[],
  token = ready.control_token,
): CommandProcess => {
  const command = new CommandProcess(["listen", "--url", baseUrl, "--token", token, "--name", "anna", ...args], NOBODY);
  ends.push(() => command.kill("SIGKILL"));
  return command;
};
const connected = (command: CommandProcess, times = 1): Promise<unknown> =>
  vi.waitUntil(() => command.stdout.split("Connected").length > times, 10_000);
const insert = (service: TestService, site: string, external: string) =>
  service.ok(jobsInsert, { identity: { external }, repairer_site_id: site, job_number: external }, repairer);
const labels = (server: RecordingReceiver): string[] => server.received.map(({ envelope }) => envelope.event_type);
const ended = (service: TestService, count: number) =>
  vi.waitUntil(async () => {
    const { items } = await service.control(deliveriesList, { status: "delivered" });
    return items.length === count && items;
  }, 10_000);

test("forwards the exact bytes and signature, and records the response of the attempt", async () => {
  const service = await started();
  const site = await ownSite(service);
  const server = await startMachine();
  const command = listen(service, ["--forward-to", server.url]);
  await connected(command);
  await insert(service, site, "first");
  const [received] = await server.waitFor(1);
  const header = String(received?.headers[SIGNATURE_HEADER]);
  const verified = verifyNotification({
    ...{
      body: received?.body ?? Buffer.alloc(0),
      header,
      secret: fixedCredentials.repairer.webhook_secret,
      now: Date.now(),
    },
  });
  expect(verified).toMatchObject({ reason: null });
  const [delivery] = await ended(service, 1);
  const { attempts } = await service.control(deliveriesGet, { id: delivery?.id ?? "" });
  expect(attempts).toHaveLength(1);
  expect(attempts[0]).toMatchObject({ response_status: 200, error: null });
  expect(Buffer.from(attempts[0]?.request_body_base64 ?? "", "base64").equals(received?.body ?? Buffer.alloc(0))).toBe(
    true,
  );
  expect(Buffer.from(attempts[0]?.response_body_base64 ?? "", "base64").toString()).toBe('{"ok":true}');
  await vi.waitUntil(() => /repairer\.jobs first → 200 in \d+ ms\n/.test(command.stdout), 5_000);
}, 60_000);

test("notifications wait while it is disconnected, and a disconnect fails only the current attempt", async () => {
  const service = await started();
  const site = await ownSite(service);
  const server = await startMachine();
  await service.control(policiesSet, { policies: { webhook_retries: "fast" } });
  const answer = Promise.withResolvers<number>();
  server.answerWith((_, count) => (count === 1 ? answer.promise : 200));
  const first = listen(service, ["--forward-to", server.url]);
  await connected(first);
  await insert(service, site, "in the middle");
  await server.waitFor(1);
  await first.kill("SIGKILL");
  answer.resolve(200);
  const { items: failed } = await vi.waitUntil(async () => {
    const list = await service.control(deliveriesList, {});
    return list.items[0]?.attempts_made === 1 && list;
  }, 10_000);
  expect(failed[0]).toMatchObject({
    status: "pending",
    last_error: "the developer machine disconnected without a response",
  });
  for (const external of ["two", "three"]) await insert(service, site, external);
  const { items } = await service.control(subscriptionsList, {});
  const own = items.find(({ integration_id }) => integration_id === repairer.integration_id);
  expect((await service.control(worldSummary, {})).deliveries.next_attempt_at).toBeNull();
  expect(own).toMatchObject({ pending: 3, next_attempt_at: null, listener: { name: "anna", connected: false } });
  const second = listen(service, ["--forward-to", server.url]);
  await connected(second);
  expect(second.stdout).toContain("3 notifications wait.");
  await ended(service, 3);
  const { items: now } = await service.control(subscriptionsList, {});
  expect(now.find(({ id }) => id === own?.id)).toMatchObject({ pending: 0, listener: { connected: true } });
});

test("--since forwards earlier notifications once, and --event-type only the given ones", async () => {
  const service = await started();
  const site = await ownSite(service);
  const server = await startMachine();
  await insert(service, site, "before");
  await placeOrder(service, site);
  const filterArgs = [
    "--forward-to",
    server.url,
    "--since",
    "1h",
    "--event-type",
    "repairer.jobs",
    "--integration",
    repairer.integration_id,
  ];
  const first = listen(service, filterArgs);
  await connected(first);
  const forwarded = await vi.waitUntil(() => server.received.length > 1 && server.received.length, 10_000);
  await insert(service, site, "after");
  await server.waitFor(forwarded + 1);
  expect(new Set(labels(server))).toEqual(new Set(["repairer.jobs"]));
  await first.kill("SIGTERM");
  await connected(listen(service, filterArgs));
  await insert(service, site, "later");
  await server.waitFor(forwarded + 2);
  const ids = server.received.map(({ envelope }) => envelope.message_id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("forwards a new integration from its installation on, with its own lines", async () => {
  const service = await started();
  const site = await ownSite(service);
  const server = await startMachine();
  const command = listen(service, ["--forward-to", server.url]);
  await connected(command);
  const { client_id, client_secret } = service.ready.clients?.demo ?? { client_id: "", client_secret: "" };
  const { items } = await service.control(organizationsList, {});
  const organization_id = items.find(({ name }) => name === "Tarn & Rowe Collision")?.id ?? "";
  const { access_code } = await service.control(accessCodesIssue, { client_id, organization_id, scope: "repairer" });
  const installed = await service.ok(integrationsInsert, { access_code, client_id, client_secret });
  await insert(service, site, "for both");
  await vi.waitUntil(
    () => server.received.some(({ envelope }) => envelope.integration_id === installed.integration_id),
    10_000,
  );
  const isSaidFor = ({ integration_id: id }: { integration_id: string }) =>
    command.stdout.includes(` ${id.slice(0, 6)}…${id.slice(-4)} repairer.jobs for both → 200`);
  await vi.waitUntil(() => isSaidFor(installed) && isSaidFor(repairer), 5_000);
});

test("a sleeping developer machine uses up no attempt, and its notifications wait for its return", async () => {
  const service = await started();
  const site = await ownSite(service);
  const server = await startMachine();
  await service.control(policiesSet, { policies: { webhook_retries: "none" } });
  const command = listen(service, ["--forward-to", server.url]);
  await connected(command);
  command.child.kill("SIGSTOP");
  await insert(service, site, "while it sleeps");
  await vi.waitUntil(async () => {
    const { items } = await service.control(subscriptionsList, {});
    return items.every(({ listener }) => listener?.connected === false);
  }, 15_000);
  expect((await service.control(deliveriesList, {})).items).toMatchObject([{ status: "pending", attempts_made: 0 }]);
  command.child.kill("SIGCONT");
  await connected(command, 2);
  await ended(service, 1);
  expect(command.stdout).toContain("Connected again after");
}, 40_000);

test("drills reach the developer machine's server and are judged by its responses", async () => {
  const service = await started();
  const site = await ownSite(service);
  const server = await startMachine();
  const { webhook_secret: secret } = fixedCredentials.repairer;
  const seen = new Set<string>();
  server.answerWith(({ body, headers, at, envelope }) => {
    const header = headers[SIGNATURE_HEADER];
    const { reason } = verifyNotification({
      ...{ body, header: header === undefined ? null : String(header), secret, now: at },
    });
    if (reason === null) seen.add(envelope.message_id);
    return reason === null ? 200 : 401;
  });
  const command = listen(service, ["--forward-to", server.url, "--integration", repairer.integration_id]);
  await connected(command);
  await insert(service, site, "to drill with");
  await ended(service, 1);
  const { items } = await service.control(subscriptionsList, {});
  const scorecard = await service.control(drillsRunAll, { subscription_id: items[0]?.id ?? "" });
  expect(scorecard.items.filter(({ latest }) => latest?.verdict === "passed").length).toBeGreaterThan(5);
  expect(command.stdout).toContain(", drill → 401");
});

test("reports that it is disconnected, and reconnects when the service is back", async () => {
  const { process: serving, service } = await serveCommand();
  const site = await ownSite(service);
  const server = await startMachine();
  const command = listen(service, ["--forward-to", server.url]);
  await connected(command);
  await serving.kill("SIGTERM");
  const again = new CommandProcess(["--port", String(service.port), "--data", service.folder, "--log", "silent"]);
  ends.push(() => again.kill("SIGKILL"));
  await again.ready();
  await connected(command, 2);
  expect(command.stdout).toMatch(/Connected again after \d+ s/);
  await insert(service, site, "after the restart");
  await server.waitFor(1);
  const { stderr } = await command.kill("SIGTERM");
  expect(stderr).toContain("Not connected: the service stops. Notifications wait. Trying again in 1 s.");
});

test("refuses a token without the scope, another world's response, and a second developer machine of the same name", async () => {
  const service = await started();
  await service.make("acme");
  const server = await startMachine();
  const tokenOf = async (scope: "view" | "act") => service.control(tokensCreate, { world: "acme", name: scope, scope });
  const { token: viewing } = await tokenOf("view");
  const { token: acting, id } = await tokenOf("act");
  const to = ["--forward-to", server.url];
  expect(await listen(service, to, viewing).ended).toMatchObject({ status: 2, stderr: expect.stringContaining("act") });
  expect(await listen(service, to, "guessed").ended).toMatchObject({ status: 2 });
  expect(await listen(service, [...to, "--world", "default"], acting).ended).toMatchObject({ status: 2 });
  const first = listen(service, to, acting);
  await connected(first);
  expect(first.stdout).toContain("world acme");
  const answer = {
    ...{ world: "default", id: repairer.integration_id, response_status: 200 },
    ...{ response_headers: [], response_body_base64: "", error: null },
  };
  const headers = { authorization: `Bearer ${acting}` };
  expect((await service.call(listenAnswer, answer, undefined, headers)).status).toBe(403);
  expect((await service.call(listenAnswer, { ...answer, world: "acme" }, undefined, headers)).body).toEqual({
    ok: false,
  });
  const second = listen(service, to, acting);
  await connected(second);
  expect(await first.ended).toMatchObject({ status: 1, stderr: expect.stringContaining("--name") });
  await service.control(tokensRevoke, { id });
  const { status, stderr } = await second.ended;
  expect([status, stderr.split("\n").at(-2)]).toEqual([
    ...[2, "error: This access has ended. Ask whoever invited you for a new link."],
  ]);
  expect((await listen(service, to, acting).ended).stderr).toContain("This access has ended.");
});

test.each([
  [["--forward-to", "nowhere"], "http address"],
  [[], "--forward-to"],
  [["--forward-to", "http://localhost:1", "--since", "soon"], "such as 2h"],
  [["--forward-to", "http://localhost:1", "--event-type", "jobs"], "one of"],
] as const)("%j is refused with a sentence", async (args, sentence) => {
  const command = new CommandProcess(["listen", "--url", "http://127.0.0.1:1", "--token", "t", ...args], NOBODY);
  expect(await command.ended).toMatchObject({ status: 2, stderr: expect.stringContaining(sentence) });
});

test("values from the service are printed without terminal control characters", async () => {
  const said = JSON.stringify({ world: "acme\u001b[2J\u202e", waiting: "\u009b1m5" });
  const current = Object.fromEntries(Object.keys(tokensCurrent.response.properties).map((name) => [name, null]));
  const server = http.createServer((request, response) => {
    const isFeed = request.method === "GET";
    response.writeHead(200, { "content-type": isFeed ? "text/event-stream" : "application/json" });
    if (isFeed) response.write(`event: ready\ndata: ${said}\n\n`);
    else response.end(JSON.stringify({ ...current, world: "acme" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ...NOBODY, SANDBOX_CONTROL_TOKEN: "t" };
  const command = new CommandProcess(["listen", "--url", url, "--forward-to", "http://127.0.0.1:1"], env);
  ends.push(() => command.kill("SIGKILL"));
  await connected(command);
  expect(command.stdout).toContain("world acme\\u001b[2J\\u202e. \\u009b1m5 notifications wait.");
  expect(command.stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
});

test("D96: forwards to a local server with any certificate, and to another one on request", async () => {
  const service = await started();
  const site = await ownSite(service);
  let received = 0;
  const server = https.createServer(selfSigned, (request, response) => {
    received += 1;
    request.resume();
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const command = listen(service, ["--forward-to", `https://localhost:${port}/hook`]);
  await connected(command);
  await insert(service, site, "TLS-1");
  await ended(service, 1);
  expect(received).toBe(1);
});

test("a failed start prints one line and exits with 2, or waits for the service on request", async () => {
  const gateway = http.createServer((_request, response) => response.writeHead(502).end("<html>\nBad Gateway</html>"));
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  ends.push(() => gateway.close());
  const address = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const forward = ["--forward-to", "http://127.0.0.1:9/hook"];
  const at = (url: string, ...args: string[]) =>
    new CommandProcess(["listen", "--url", url, "--token", "none", ...forward, ...args], NOBODY).ended;
  const service = await started();
  for (const [ended, sentence] of [
    [await at(address), /^error: The server at .* isn’t a sandbox: it answered 502\./],
    [await at("http://127.0.0.1:1"), /^error: No service responds at /],
    [await at(service.baseUrl), /rejects this control token/],
    [await listen(service, [...forward, "--world", "nosuch"]).ended, /^error: World nosuch doesn’t exist\./],
  ] as const) {
    expect(ended).toMatchObject({ status: 2, stderr: expect.stringMatching(sentence) });
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
  }
  // Reuses the port of the stopped service for the one that is awaited.
  const { port } = new URL(service.baseUrl);
  await service.stop();
  const command = listen(service, [...forward, "--wait"]);
  await vi.waitUntil(() => command.stderr === `Waiting for ${service.baseUrl}.\n`, 10_000);
  const again = await startTestService(service.folder, { port: Number(port) });
  ends.push(() => again.end());
  await connected(command);
}, 60_000);

test("--wait also waits for the ready file of a service that starts later", async () => {
  const folder = temporaryFolder();
  ends.push(() => fs.rmSync(folder, { recursive: true, force: true }));
  const readyFile = path.join(folder, "ready.json");
  const run = (...args: string[]): CommandProcess => {
    const command = new CommandProcess(args, NOBODY);
    ends.push(() => command.kill("SIGKILL"));
    return command;
  };
  const early = ["listen", "--ready-file", readyFile, "--forward-to", "http://127.0.0.1:1/hooks"];
  expect(await run(...early).ended).toMatchObject({ status: 1 });
  const command = run(...early, "--wait");
  await vi.waitUntil(() => command.stderr.includes("\n"), 10_000);
  expect(command.stderr).toBe(`Waiting for the service that writes ${readyFile}.\n`);
  run("--memory", "--port", "0", "--ready-file", readyFile, "--log", "silent");
  await connected(command);
}, 60_000);
