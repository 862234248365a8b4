import fs from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import tls from "node:tls";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import { jobsInsert } from "../contract/operations/partner.ts";
import { routeTo } from "../scenario/route.ts";
import { repairer, startTestService, type TestService, temporaryFolder } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { CommandProcess } from "../testing/process.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";
import { selfSigned } from "../testing/self-signed.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const NAME = "receiver.test";
const CREDENTIALS = `Basic ${Buffer.from("anna:pa-ss").toString("base64")}`;

const listening = async (server: net.Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => server.close());
  return (server.address() as AddressInfo).port;
};
const joined = (one: net.Socket, other: net.Socket): void => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    from.on("error", () => to.destroy()).pipe(to);
};

/** A proxy with a password that leads every name to one port, and its requests. */
const proxyTo = async (port: number): Promise<{ readonly address: string; readonly asked: string[] }> => {
  const asked: string[] = [];
  const proxy = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.headers["proxy-authorization"] !== CREDENTIALS) return response.writeHead(407).end();
    const { pathname, search } = new URL(request.url ?? "");
    const { method, headers } = request;
    const onward = http.request({ port, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    return request.pipe(onward);
  });
  proxy.on("connect", (request, socket: net.Socket) => {
    asked.push(`CONNECT ${request.url}`);
    if (request.headers["proxy-authorization"] !== CREDENTIALS) return socket.end("HTTP/1.1 407 No\r\n\r\n");
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    return joined(socket, net.connect(port));
  });
  return { address: `http://anna:pa-ss@127.0.0.1:${await listening(proxy)}`, asked };
};

const started = async (): Promise<TestService> => {
  const service = await startTestService(undefined, { allowHosts: [NAME] });
  ends.push(() => service.end());
  return service;
};
const command = (args: readonly string[], env: NodeJS.ProcessEnv): CommandProcess => {
  const clean = { http_proxy: "", https_proxy: "", no_proxy: "", HTTP_PROXY: "", HTTPS_PROXY: "", NO_PROXY: "" };
  const made = new CommandProcess(args, { ...clean, SANDBOX_READY_FILE: "", ...env });
  ends.push(() => made.kill("SIGKILL"));
  return made;
};

test("wait, tail and run use HTTP_PROXY, with its password", async () => {
  const service = await started();
  const proxy = await proxyTo(service.port);
  const env = { HTTP_PROXY: proxy.address, SANDBOX_CONTROL_TOKEN: service.ready.control_token };
  const at = ["--url", `http://${NAME}`];
  const scenario = "docs/scenarios/rate-limit.json";
  for (const args of [
    ["wait", ...at],
    ["tail", ...at],
    ["run", scenario, ...at],
  ])
    expect(await command(args, env).ended, args[0]).toMatchObject({ status: 0, stderr: "" });
  expect(proxy.asked).toEqual(
    expect.arrayContaining([`GET http://${NAME}/__health`, `POST http://${NAME}/__sandbox/requests.list`]),
  );
  const other = { ...env, HTTP_PROXY: proxy.address.replace("pa-ss", "other") };
  expect(await command(["tail", ...at], other).ended).toMatchObject({ status: 2 });
}, 60_000);

test("listen connects through HTTPS_PROXY with the system's certificates, and delivers directly", async () => {
  const service = await started();
  const secure = tls.createServer({ ...selfSigned }, (socket) => joined(socket, net.connect(service.port)));
  const proxy = await proxyTo(await listening(secure));
  const server = await RecordingReceiver.start();
  ends.push(() => server.stop());
  // Stands for a company proxy's certificate that only the system trusts.
  const trusted = path.join(temporaryFolder(), "system.pem");
  fs.writeFileSync(trusted, selfSigned.cert);
  const listen = command(["listen", "--url", `https://${NAME}`, "--name", "anna", "--forward-to", server.url], {
    HTTPS_PROXY: proxy.address,
    HTTP_PROXY: "http://127.0.0.1:9",
    SSL_CERT_FILE: trusted,
    SANDBOX_CONTROL_TOKEN: service.ready.control_token,
  });
  await vi.waitUntil(() => listen.stdout.includes("Connected"), 10_000);
  const identity = { external: "through-a-proxy" };
  await service.ok(jobsInsert, { identity, repairer_site_id: await ownSite(service) }, repairer);
  await server.waitFor(1);
  await vi.waitUntil(() => listen.stdout.includes("200 in"), 10_000);
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${NAME}:443`]));
}, 60_000);

test("a local service and a host in NO_PROXY are called directly", async () => {
  const service = await started();
  const env = { HTTP_PROXY: "http://127.0.0.1:9", SANDBOX_CONTROL_TOKEN: service.ready.control_token };
  expect(await command(["tail", "--url", service.baseUrl], env).ended).toMatchObject({ status: 0 });
  const set = { HTTP_PROXY: "http://proxy:3128/", NO_PROXY: "10.1.2.3, .example.com,*.test,whole.org:8080" };
  const through = (address: string) => routeTo(address, set).through;
  for (const address of ["http://localhost", "http://[::1]:4026", "http://10.1.2.3", "http://a.example.com"])
    expect(through(address), address).toBe("");
  for (const address of ["http://example.com", "http://receiver.test:80", "http://whole.org:8080", "https://a.org"])
    expect(through(address), address).toBe("");
  for (const address of ["http://10.1.2.30", "http://anexample.com", "http://whole.org"])
    expect(through(address), address).toBe(" through the proxy http://proxy:3128");
  expect(routeTo("http://a.org", { ...set, NO_PROXY: "*" }).through).toBe("");
  expect(routeTo("http://a.org", { ...set, http_proxy: "small:1" }).through).toBe(" through the proxy http://small:1");
});

describe("a failure through a proxy", () => {
  const at = ["--url", `https://${NAME}`];
  const forward = ["--forward-to", "http://127.0.0.1:1/hook"];
  const said = async (proxy: string, ...args: string[]) =>
    (await command([...args, ...at], { HTTPS_PROXY: proxy, SANDBOX_CONTROL_TOKEN: "x" }).ended).stderr;
  /** A proxy that answers each CONNECT with a status. */
  const refusing = async (status: number): Promise<string> => {
    const proxy = http.createServer();
    proxy.on("connect", (_, socket: net.Socket) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`));
    return `http://anna:pa-ss@127.0.0.1:${await listening(proxy)}`;
  };
  const behindTls = async (): Promise<string> => {
    const secure = tls.createServer({ ...selfSigned }, (socket) => socket.end());
    return (await proxyTo(await listening(secure))).address;
  };
  it.each([
    ["wants a password", () => refusing(407), /The proxy wants a password, or rejects .* \(407\): PROXY\. Write it/],
    ["refuses", () => refusing(403), /The proxy refused to connect to https:\/\/receiver\.test \(403\): PROXY\. Ask/],
    [
      "is not reachable",
      async () => "http://anna:pa-ss@127.0.0.1:9",
      /The proxy isn’t reachable \(ECONNREFUSED\): PROXY\. Check/,
    ],
    [
      "has an untrusted certificate",
      behindTls,
      /TLS with https:\/\/receiver\.test through the proxy PROXY failed: self-signed certificate\. /,
    ],
  ])(
    "says that it %s, without the password",
    async (_, started, sentence) => {
      const proxy = await started();
      const expected = new RegExp(sentence.source.replace("PROXY", proxy.replace("anna:pa-ss@", "")));
      const all = [["wait", "--timeout", "0"], ["tail"], ["tail", "--follow"], ["listen", ...forward]];
      for (const args of all) {
        const text = await said(proxy, ...args);
        expect(text, args.join(" ")).toMatch(expected);
        expect(text.trim().split("\n"), text).toHaveLength(1);
        expect(text).not.toContain("pa-ss");
      }
    },
    60_000,
  );
});

test("a proxy's wanted password is named for an http address, too", async () => {
  const proxy = await proxyTo(9);
  const env = { HTTP_PROXY: proxy.address.replace("pa-ss", "other"), SANDBOX_CONTROL_TOKEN: "x" };
  const { status, stderr } = await command(["tail", "--url", `http://${NAME}`], env).ended;
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: The proxy wants a password, or rejects/)]);
}, 60_000);

test("an untrusted certificate is named without a proxy", async () => {
  const port = await listening(tls.createServer({ ...selfSigned }, (socket) => socket.end()));
  const at = ["--url", `https://127.0.0.1:${port}`];
  for (const args of [["tail"], ["wait", "--timeout", "0"]])
    expect((await command([...args, ...at], { SANDBOX_CONTROL_TOKEN: "x" }).ended).stderr).toContain(
      `TLS with https://127.0.0.1:${port} failed: self-signed certificate. `,
    );
}, 60_000);
