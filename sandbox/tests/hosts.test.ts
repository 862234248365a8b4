import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { deliveriesGet, deliveriesList, subscriptionsList } from "../contract/control/operations.ts";
import { receiversCreate } from "../contract/control/receiver-operations.ts";
import { serviceLog } from "../contract/control/service-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { jobsInsert, uploadsPrepare } from "../contract/operations/partner.ts";
import { credentialHeaders, folderWithTemplate, repairer, startTestService, supplier } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { selfSigned } from "../testing/self-signed.ts";

const start = async (changes: Parameters<typeof startTestService>[1] = {}) => {
  const service = await startTestService(folderWithTemplate(), changes);
  onTestFinished(() => service.end());
  return service;
};

/** Sends a call with a foreign `Host` header, which `fetch` can't set. */
const callUnder = (url: string, host: string, method = "GET", headers = {}, body: string | Uint8Array = "") =>
  new Promise<readonly [status: number | undefined, text: string]>((resolve, reject) => {
    const asked = http.request(url, { method, headers: { host, ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve([response.statusCode, text]));
    });
    asked.on("error", reject).end(body);
  });
const healthUnder = (baseUrl: string, host: string) => callUnder(`${baseUrl}/__health`, host);

test("D95: a caller gets addresses of the host by which it reached the service", async () => {
  const service = await start({ allowHosts: ["sandbox"] });
  const headers = { ...credentialHeaders(repairer), "content-type": "application/json" };
  const upload = JSON.stringify({ type: "job_media", media_type: "image", file_name: "front.png" });
  const prepare = async (host: string) => {
    const url = service.baseUrl + operationPath(uploadsPrepare);
    return JSON.parse((await callUnder(url, host, "POST", headers, upload))[1]) as Record<string, string>;
  };
  for (const host of ["sandbox:4026", "localhost:32768", new URL(service.baseUrl).host]) {
    const { upload_url = "", public_url = "" } = await prepare(host);
    expect([new URL(upload_url).host, new URL(public_url).host]).toEqual([host, host]);
    const { pathname, search } = new URL(upload_url);
    const picture = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1");
    expect((await callUnder(service.baseUrl + pathname + search, host, "PUT", {}, picture))[0]).toBe(200);
  }
});

test("D95: the documents of the interface name the host by which they were fetched", async () => {
  const service = await start({ allowHosts: ["sandbox"] });
  const authorization = `Bearer ${service.ready.control_token}`;
  for (const path of ["/openapi.json", "/__sandbox/openapi.json"])
    for (const host of ["sandbox:4026", "localhost:32768", new URL(service.baseUrl).host, "sandbox:4026"]) {
      const [status, text] = await callUnder(service.baseUrl + path, host, "GET", { authorization });
      expect([status, JSON.parse(text)]).toMatchObject([200, { servers: [{ url: `http://${host}` }] }]);
      const others = [...text.matchAll(/https?:\/\/([^/"]+)\/__media/g)].filter(([, named]) => named !== host);
      expect(others).toEqual([]);
    }
});

test("D95: a service accepts loopback names and allowed ones, in any case and with any port", async () => {
  const service = await start({ allowHosts: ["sandbox", "my_service"] });
  for (const host of ["sandbox:4026", "SANDBOX", "my_service:80", "localhost", "[::1]:1"])
    expect(await healthUnder(service.baseUrl, host), host).toEqual([200, '{"status":"ok"}']);
  for (const host of ["sandbox.evil.example", "evil.example", "other"]) {
    const [status, text] = await healthUnder(service.baseUrl, host);
    expect([host, status]).toEqual([host, 421]);
    expect(text).toContain("--allow-host");
  }
  // A page under an allowed name is same-site; others are not.
  const place = (origin: string) =>
    fetch(`${service.baseUrl}/__webhooks/subscribe`, { method: "POST", headers: { origin }, body: "{}" });
  expect((await place("http://evil.example")).status).toBe(403);
});

test("D95: a local service accepts each receiver host, and refusing another names the option", async () => {
  const service = await start({ receiverHosts: ["host.docker.internal", "10.1.2.3"] });
  const { integration_id } = repairer;
  const subscribe = (url: string) => service.post("/__webhooks/subscribe", { integration_id, url });
  for (const url of ["http://host.docker.internal:8787/hook", "https://HOST.docker.internal/", "http://10.1.2.3:9/"])
    expect((await subscribe(url)).body, url).toEqual({ ok: true });
  const refused = await subscribe("http://other.internal:8787/hook");
  expect([refused.status, refused.body]).toEqual([400, { ok: false, reason: "url_not_loopback" }]);
  const { refusal } = await service.control(requestsExplain, { id: refused.headers.get("x-request-id") ?? "" });
  expect(refusal?.what_to_do).toContain("--receiver-host");
});

test("D95: an allowed name also names the service's own test receivers, and nothing else there", async () => {
  const service = await start({ allowHosts: ["sandbox"] });
  const { integration_id } = repairer;
  const subscribe = async (url: string) =>
    (await service.post("/__webhooks/subscribe", { integration_id, url })).body as { ok: boolean };
  const named = `http://sandbox:${service.port}`;
  const receiver = await service.control(receiversCreate, { integration_id: supplier.integration_id, behaviour: {} });
  const { pathname } = new URL(receiver.url);
  for (const url of [`${named}/__webhooks/sink`, `${named.toUpperCase()}/__webhooks/sink`, named + pathname])
    expect(await subscribe(url), url).toEqual({ ok: true });
  // Kept under its loopback name, nobody has to look the name up.
  const { items } = await service.control(subscriptionsList, {});
  const urls = items.filter((one) => one.integration_id === integration_id).map(({ url }) => url);
  expect(urls.toSorted()).toEqual([receiver.url, `${service.baseUrl}/__webhooks/sink`].toSorted());
  for (const url of [
    `${named}/hook`,
    `${named}/__webhooks/subscribe`,
    ` ${named}/__webhooks/sink`,
    `https://sandbox:${service.port}/__webhooks/sink`,
    `http://me@sandbox:${service.port}/__webhooks/sink`,
    `http://sandbox:${service.port + 1}/__webhooks/sink`,
    `http://other:${service.port}/__webhooks/sink`,
  ])
    expect(await subscribe(url), url).toEqual({ ok: false, reason: "url_not_loopback" });
  const job = { identity: { external: "own" }, repairer_site_id: await ownSite(service) };
  await service.ok(jobsInsert, job, repairer);
  const delivered = async () => (await service.control(deliveriesList, { status: "delivered" })).items.length;
  await expect.poll(delivered).toBe(2);
});

test("a receiver host requires local mode", async () => {
  const deployed = { mode: "deployed", publicUrl: "https://sandbox.example.com", receiverHosts: ["receiver"] } as const;
  await expect(start(deployed)).rejects.toThrow(/--credentials|--receiver-host/);
});

test("D96: a local receiver may have any certificate, and the delivery says it was not checked", async () => {
  const service = await start();
  const receiver = https.createServer(selfSigned, (request, response) => {
    request.resume();
    response.end("{}");
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const { integration_id } = repairer;
  await service.post("/__webhooks/subscribe", { integration_id, url: `https://127.0.0.1:${port}/hook` });
  const job = { identity: { external: "tls" }, repairer_site_id: await ownSite(service) };
  await service.ok(jobsInsert, job, repairer);
  const delivered = async () => (await service.control(deliveriesList, { status: "delivered" })).items;
  await expect.poll(async () => (await delivered()).length).toBe(1);
  const { attempts } = await service.control(deliveriesGet, { id: (await delivered())[0]?.id ?? "" });
  expect(attempts).toMatchObject([{ response_status: 200, error: null }]);
  expect(attempts[0]?.certificate).toMatch(/certificate is self-signed/);
});

const hasIpv6 = await new Promise<boolean>((resolve) => {
  const probe = net.createServer().once("error", () => resolve(false));
  probe.listen(0, "::1", () => probe.close(() => resolve(true)));
});

test("warns when another program has the port at ::1, which localhost may mean", async ({ skip }) => {
  skip(!hasIpv6, "this machine has no address ::1");
  const other = net.createServer();
  await new Promise<void>((resolve) => other.listen({ host: "::1", port: 0, ipv6Only: true }, resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const service = await start({ port });
  const warning = `Another program listens at [::1]:${port}, and http://localhost:${port} may reach it. Call this service as ${service.baseUrl}.`;
  const { items } = await service.control(serviceLog, {});
  expect(items).toContainEqual(expect.objectContaining({ message: warning }));
});

test("listens at ::1 like at 127.0.0.1, with the same limits, and finishes calls when it stops", async ({ skip }) => {
  skip(!hasIpv6, "this machine has no address ::1");
  const service = await startTestService();
  const { port } = new URL(service.baseUrl);
  const six = `http://[::1]:${port}`;
  expect(await healthUnder(six, `[::1]:${port}`)).toEqual([200, '{"status":"ok"}']);
  expect((await healthUnder(six, "evil.example"))[0]).toBe(421);
  // A half-sent call still gets its response when the service stops.
  const body = JSON.stringify({ identity: { id: "nobody" } });
  const asked = http.request(`${six}/api/2026-01/repairer.jobs.get`, {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": body.length },
  });
  asked.write(body.slice(0, 5));
  const answered = new Promise<number | undefined>((resolve, reject) => {
    asked.on("response", ({ statusCode }) => resolve(statusCode)).on("error", reject);
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const stopping = service.end();
  await new Promise((resolve) => setTimeout(resolve, 100));
  asked.end(body.slice(5));
  expect(await answered).toBe(401);
  await stopping;
});
