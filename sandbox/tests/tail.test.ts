import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tail as tailHere } from "../command/tail.ts";
import { wait } from "../command/wait.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { readyFilePath } from "../host/data-folder.ts";
import { repairer, startTestService, type TestService, temporaryFolder } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { keepPrinted } from "../testing/printed.ts";
import { CommandProcess } from "../testing/process.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Hides the machine's own services. */
const NOBODY = { SANDBOX_BASE_URL: "", SANDBOX_CONTROL_TOKEN: "", SANDBOX_READY_FILE: "", SANDBOX_DATA: "" };

// Signals that end the command would end these tests too.
beforeEach(() => {
  for (const source of [process, process.stdout]) vi.spyOn(source, "once").mockReturnThis();
  for (const [name, value] of Object.entries(NOBODY)) vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});

/** Runs the command in this process. @returns its status and output */
const tailed = async (...args: string[]) => {
  const printed = keepPrinted();
  const status = await tailHere(args);
  return { status, ...printed };
};
const tail = (...args: string[]): CommandProcess => {
  const command = new CommandProcess(["tail", ...args], NOBODY);
  ends.push(() => command.kill("SIGKILL"));
  return command;
};
const started = async (): Promise<TestService> => {
  const service = await startTestService();
  ends.push(() => service.end());
  return service;
};
const connection = ({ baseUrl, ready }: TestService): string[] => ["--url", baseUrl, "--token", ready.control_token];

const insert = (service: TestService, site: string, external: string) =>
  service.ok(jobsInsert, { identity: { external }, repairer_site_id: site, job_number: external }, repairer);
const linesOf = (text: string): string[] => text.split("\n").slice(0, -1);
/** Number of printed inserts. */
const inserts = (text: string): number => linesOf(text).filter((line) => line.includes(`  ${jobsInsert.id} `)).length;
const delivered = (text: string): string[] =>
  linesOf(text).flatMap((line) => / {2}delivered {2}.* {2}(\S+) to http/.exec(line)?.[1] ?? []);
const until = async (command: CommandProcess, enough: (stdout: string) => boolean): Promise<void> => {
  for (const end = Date.now() + 20_000; !enough(command.stdout); ) {
    if (Date.now() > end) throw new Error(`timed out waiting for a line; printed: ${command.stdout}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

test("prints the newest calls and deliveries of a world, oldest first, and exits with 0", async () => {
  const service = await started();
  const site = await ownSite(service);
  for (const external of ["one", "two", "three"]) await insert(service, site, external);
  await service.call(businessesList, {});
  const ended = await tailed(...connection(service), "--lines", "2");
  expect(ended).toMatchObject({ status: 0, stderr: "" });
  const [first, second, ...more] = ended.stdout.split("\n");
  expect(first).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} {2}call +repairer \w{6}…\w{4} +repairer\.jobs\.insert +200 +[\d.]+ ms +\S/,
  );
  expect(second).toMatch(/ call +anonymous +businesses\.list +401 /);
  expect(more).toEqual([""]);
  const missing = await tailed(...connection(service), "--world", "defualt");
  expect(missing).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(/^error: World defualt doesn’t exist\./),
  });
}, 60_000);

test("finds the service by its data folder or ready file, and reads its token", async () => {
  const service = await started();
  await service.ok(businessesList, {}, repairer);
  const readyFile = path.join(service.folder, "service.json");
  for (const where of [
    ["--data", service.folder],
    ["--ready-file", readyFile],
    ["--url", service.baseUrl, "--data", service.folder],
  ]) {
    const ended = await tailed(...where);
    expect(ended, where.join(" ")).toMatchObject({ status: 0, stderr: "" });
    expect(linesOf(ended.stdout)).toEqual([expect.stringContaining(`  ${businessesList.id} `)]);
  }
}, 60_000);

test("a data folder or ready file on the command line outranks the variables of another service", async () => {
  const [named, exported] = [await started(), await started()];
  const missing = (folder: string) => path.join(folder, "missing.json");
  await named.ok(businessesList, {}, repairer);
  const { SANDBOX_BASE_URL, SANDBOX_CONTROL_TOKEN } = {
    SANDBOX_BASE_URL: exported.baseUrl,
    SANDBOX_CONTROL_TOKEN: exported.ready.control_token,
  };
  const readyFile = readyFilePath(named.folder);
  for (const variables of [
    { SANDBOX_BASE_URL, SANDBOX_CONTROL_TOKEN },
    { SANDBOX_READY_FILE: readyFilePath(exported.folder) },
    { SANDBOX_DATA: exported.folder },
    { SANDBOX_CONTROL_TOKEN },
  ]) {
    for (const [name, value] of Object.entries({ ...NOBODY, ...variables })) vi.stubEnv(name, value);
    for (const where of [
      ["--data", named.folder],
      ["--ready-file", readyFile],
    ]) {
      const ended = await tailed(...where);
      expect(linesOf(ended.stdout), JSON.stringify({ where, variables, ...ended })).toHaveLength(1);
    }
    expect(await wait(["--ready-file", missing(named.folder), "--timeout", "0"])).toBe(1);
  }
  // The token belongs to an address on the command line.
  vi.stubEnv("SANDBOX_CONTROL_TOKEN", named.ready.control_token);
  expect(await tailed("--url", named.baseUrl, "--data", exported.folder)).toMatchObject({ status: 0, stderr: "" });
}, 60_000);

test("follows new calls and deliveries, each once, until stopped", async () => {
  const service = await started();
  const site = await ownSite(service);
  const subscription = { integration_id: repairer.integration_id, url: `${service.baseUrl}/__webhooks/sink` };
  expect((await service.post("/__webhooks/subscribe", subscription)).status).toBe(200);
  await insert(service, site, "before");
  const command = tail(...connection(service), "--follow", "--lines", "500");
  await until(command, (text) => delivered(text).includes("before"));
  for (const external of ["a", "b", "c"]) await insert(service, site, external);
  await until(command, (text) => inserts(text) >= 4 && delivered(text).length >= 4);
  expect(inserts(command.stdout)).toBe(4);
  expect(delivered(command.stdout).toSorted()).toEqual(["a", "b", "before", "c"]);
  expect(await command.kill("SIGINT")).toMatchObject({ status: 0, stderr: "" });
}, 60_000);

test("reports a lost connection when the service ends", async () => {
  const service = await started();
  await service.ok(businessesList, {}, repairer);
  const command = tail(...connection(service), "--follow");
  await until(command, (text) => linesOf(text).length === 1);
  await service.stop();
  expect(await command.ended).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^error: The connection to the service at .* was lost\.\n$/),
  });
}, 60_000);

test("a host name that the service refuses is a wrong address", async () => {
  const service = await started();
  // Resolves to this machine, but the service doesn't know the name.
  const proxy = http.createServer((request, response) => {
    const { method, headers } = request;
    const path = new URL(request.url ?? "").pathname;
    const onward = http.request({ port: service.port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  ends.push(() => proxy.close());
  vi.stubEnv("http_proxy", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  vi.stubEnv("no_proxy", "");
  expect(await tailed("--url", "http://other.test", "--token", service.ready.control_token)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^error: .*host/),
  });
});

test("reports in one sentence why it can't run, with different statuses for a bad option and a missing service", async () => {
  const service = await started();
  const none = temporaryFolder();
  ends.push(() => fs.rmSync(none, { recursive: true, force: true }));
  const refused: [status: number, said: RegExp, ...args: string[]][] = [
    [1, /^error: No service is running on the data folder .*Start one, or choose/, "--data", none],
    [1, /^error: No running service matches the ready file .*x\.json/, "--ready-file", path.join(none, "x.json")],
    [2, /^error: No service responds at http:\/\/127\.0\.0\.1:9\./, "--url", "http://127.0.0.1:9", "--token", "x"],
    [2, /^error: There is no token for http:.*--token-file/, "--url", "http://127.0.0.1:9", "--data", service.folder],
    [2, /^error: .* rejects this control token/, "--url", service.baseUrl, "--token", "x"],
    [2, /^error: .* rejects this control token/, "--url", service.baseUrl, "--token", "x", "--follow"],
  ];
  const file = (name: string, content: string): string => {
    const at = path.join(folder, name);
    fs.writeFileSync(at, content);
    return at;
  };
  const folder = temporaryFolder();
  ends.push(() => fs.rmSync(folder, { recursive: true }));
  const here = ["--url", service.baseUrl, "--token-file"];
  for (const [said, at] of [
    ["can’t be read", "/nowhere/token.txt"],
    ["must hold a token", file("two.txt", "one\ntwo\n")],
  ] as const) {
    const printed = keepPrinted();
    await expect(tailHere([...here, at])).rejects.toMatchObject({ code: "commander.invalidArgument" });
    expect(printed.stderr).toContain(said);
  }
  const token = file("token.txt", `${service.ready.control_token}\n`);
  expect(await tailed(...here, token, "--lines", "1")).toMatchObject({ status: 0, stderr: "" });
  // The option takes precedence over a stale variable.
  vi.stubEnv("SANDBOX_CONTROL_TOKEN", "x");
  expect(await tailed(...here, token, "--lines", "1")).toMatchObject({ status: 0, stderr: "" });
  expect(await tailed("--url", service.baseUrl)).toMatchObject({ status: 2 });
  vi.stubEnv("SANDBOX_CONTROL_TOKEN", "");
  for (const [status, said, ...args] of refused) {
    const ended = await tailed(...args);
    expect([ended.status, ended.stdout, ended.stderr], args.join(" ")).toEqual([
      status,
      "",
      expect.stringMatching(said),
    ]);
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
  }
  await expect(tailHere(["--nonsense"])).rejects.toThrow(/unknown option/);
});
