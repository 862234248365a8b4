import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { serveOptions } from "../command/options.ts";
import type { ServiceConfig } from "../config.ts";
import { jobsList, requestsList } from "../contract/control/operations.ts";
import { runsList, runsStart, scenariosList, scenariosSave } from "../contract/control/scenario-operations.ts";
import { serviceErase, serviceLog, serviceSet, serviceSettings } from "../contract/control/service-operations.ts";
import { snapshotsList, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { policiesGet, policiesSet, worldsDelete, worldsList } from "../contract/control/world-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { shownDatabase } from "../contract/text.ts";
import { repairer, startTestService, type TestService, temporaryFolder, testConfig } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";

const started = async (changes: Partial<ServiceConfig> = {}, folder?: string): Promise<TestService> => {
  const service = await startTestService(folder, changes);
  onTestFinished(() => service.end());
  return service;
};
const asked = (service: TestService, operation: typeof serviceSet | typeof serviceErase, body: object) =>
  service.post(operationPath(operation), body, { authorization: `Bearer ${service.ready.control_token}` });

/** Files below a folder that contain a text. */
const filesWith = (folder: string, text: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((file) => fs.statSync(file).isFile() && (file.includes(text) || fs.readFileSync(file).includes(text)));

const freePort = async (): Promise<number> => {
  const server = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

describe("service settings", () => {
  test("are listed, with the size of the data folder", async () => {
    const service = await started({ idleResetMinutes: 5 });
    const { items, started_by, port, data_folder } = await service.control(serviceSettings, {});
    expect(started_by).toBe("command");
    expect(items).toEqual(
      expect.arrayContaining([
        { option: "--port", name: "Port", value: String(service.port) },
        { option: "--idle-reset", name: "Idle reset", value: "5 min" },
        { option: "--public-url", name: "Public address", value: null },
        { option: "--data", name: "Data folder", value: service.folder },
      ]),
    );
    expect(port).toEqual({ now: service.port, next_start: null, fixed: true });
    expect(data_folder).toEqual({ path: service.folder, bytes: expect.any(Number) });
    expect(data_folder.bytes).toBeGreaterThan(0);
  });

  test("include every option of the command, without a database password", async () => {
    const cluster = "postgres://sandbox:very-secret@127.0.0.1:1/sandbox?password=very-secret";
    const { items } = await (await started({ callsPerMinute: 90, trustedProxies: ["10.0.0.0/8"] })).control(
      serviceSettings,
      {},
    );
    const shown = serveOptions.filter(({ hidden, long }) => !hidden && long !== "--memory" && long !== "--ready-file");
    expect(items.map(({ option }) => option)).toEqual(shown.map(({ long }) => long));
    const value = (option: string) => items.find((one) => one.option === option)?.value;
    expect([value("--rate-limit"), value("--trusted-proxy"), value("--metrics")]).toEqual([
      ...["90", "10.0.0.0/8", "off"],
    ]);
    expect([value("--people"), value("--cluster")]).toEqual([null, null]);
    expect(shownDatabase(cluster)).toBe("postgres://127.0.0.1:1/sandbox");
  });

  test("contain no secret, and neither does the log", async () => {
    const service = await started();
    await service.raw(`/__uploads/none?signature=${repairer.api_key}`, { method: "PUT" });
    const text = JSON.stringify([
      await service.control(serviceSettings, {}),
      await service.control(serviceLog, {}),
      fs.readFileSync(path.join(service.folder, "service.log"), "utf8"),
    ]);
    for (const secret of [service.ready.control_token, repairer.api_key]) expect(text).not.toContain(secret);
  });

  test("store a port for the next start in a window's service, and use it", async () => {
    const folder = temporaryFolder();
    const window = { whenPortTaken: "any" } as const;
    const first = await startTestService(folder, window);
    const wanted = await freePort();
    expect(await first.control(serviceSet, { port: wanted })).toEqual({
      now: first.port,
      next_start: wanted,
      fixed: false,
    });
    await first.stop();

    const second = await startTestService(folder, window);
    expect(second.port).toBe(wanted);
    await second.stop();

    // A start option overrides the stored port, which the plain command never uses.
    const third = await startTestService(folder, { ...window, isPortGiven: true });
    expect(third.port).not.toBe(wanted);
    await third.stop();
    const fourth = await started({}, folder);
    expect(fourth.port).not.toBe(wanted);
  });

  test("refuse a port that browsers block", async () => {
    const service = await started({ whenPortTaken: "any" });
    for (const port of [80, 65_536, 6000, 1.5, "4027", undefined]) {
      const answer = await asked(service, serviceSet, { port });
      expect(answer, String(port)).toMatchObject({ status: 400, body: { message: expect.stringContaining("/port") } });
    }
    expect((await service.control(serviceSettings, {})).port.next_start).toBeNull();
  });

  test("refuse a port if an option sets it", async () => {
    const service = await started({ isPortGiven: true, whenPortTaken: "any" });
    expect(await asked(service, serviceSet, { port: 4027 })).toMatchObject({ status: 422 });
  });
});

describe("the service's log", () => {
  test("contains this start and earlier ones", async () => {
    const folder = temporaryFolder();
    await (await startTestService(folder)).stop();
    const service = await started({}, folder);
    const { items, file } = await service.control(serviceLog, {});
    expect(file).toBe(path.join(folder, "service.log"));
    expect(items.map(({ message }) => message)).toEqual(["listening", "listening"]);
    expect(items[0]?.detail).toContain(service.baseUrl);
    expect((await service.control(serviceLog, { limit: 1 })).items).toHaveLength(1);
  });
});

describe("erasing everything", () => {
  const MARK = "ERASE-ME-4711";
  const filled = async (): Promise<TestService> => {
    const service = await started({ whenPortTaken: "any" });
    const insert = (world: string) =>
      service.ok(jobsInsert, { identity: { external: MARK }, job_number: MARK, repairer_site_id: site }, repairer, {
        "x-sandbox-tenant": world,
      });
    const site = await ownSite(service);
    for (const world of ["default", "qa", MARK]) await insert(world);
    await service.control(policiesSet, { policies: { confirm_when_confirmed: "reject" } });
    await service.control(snapshotsSave, { name: MARK });
    // Leaves a checkpoint of a deleted world.
    await service.control(worldsDelete, { world: "qa" });
    await service.control(serviceSet, { port: 4027 });
    return service;
  };

  test("leaves only a fresh world default, in the lists and on disk", async () => {
    const service = await filled();
    const step = { call: { operation: "businesses.list" }, expect: { status: 200, within_seconds: 600 } };
    await service.control(scenariosSave, { name: "mine", scenario: { scenario: 1, name: MARK, steps: [step] } });
    await service.control(runsStart, { name: "mine" });
    await expect.poll(async () => (await service.control(runsList, {})).items[0]?.state).toBe("running");
    await expect.poll(() => filesWith(service.folder, MARK).length).toBeGreaterThan(2);
    expect(await service.control(serviceErase, { confirm: "erase everything" })).toEqual({
      worlds: 2,
      snapshots: 2,
      scenarios: 1,
      left: [],
    });
    expect((await service.control(worldsList, {})).items.map(({ name }) => name)).toEqual(["default"]);
    expect((await service.control(snapshotsList, { everywhere: true })).items).toEqual([]);
    expect((await service.control(policiesGet, {})).policies.confirm_when_confirmed).toBe("ok");
    expect((await service.control(requestsList, {})).items).toEqual([]);
    expect((await service.control(scenariosList, {})).items.filter(({ source }) => source === "own")).toEqual([]);
    expect((await service.control(runsList, {})).items).toEqual([]);
    expect((await service.control(jobsList, { search: MARK })).items).toEqual([]);
    expect((await service.control(serviceLog, {})).items).toEqual([]);
    expect((await service.control(serviceSettings, {})).port.next_start).toBeNull();
    expect(filesWith(service.folder, MARK)).toEqual([]);

    // The service continues for open windows.
    await service.ok(
      jobsInsert,
      { identity: { external: "after" }, repairer_site_id: await ownSite(service) },
      repairer,
    );
    await service.stop();
    expect(filesWith(service.folder, MARK)).toEqual([]);
  });

  test("requires its confirmation text", async () => {
    const service = await started();
    await service.control(snapshotsSave, { name: MARK });
    for (const body of [{}, { confirm: "yes" }, { confirm: true }])
      expect(await asked(service, serviceErase, body)).toMatchObject({ status: 400 });
    expect((await service.control(snapshotsList, { everywhere: true })).items).toHaveLength(1);
  });

  test("also erases a world with a damaged file", async () => {
    const folder = temporaryFolder();
    const first = await startTestService(folder);
    await first.control(policiesGet, { world: "spoilt" });
    await first.stop();
    const [file = ""] = fs.readdirSync(path.join(folder, "worlds")).filter((name) => name.includes("spoilt"));
    fs.writeFileSync(path.join(folder, "worlds", file), `no database at all, ${MARK}`.repeat(200));
    const service = await started({}, folder);
    expect(await service.control(serviceErase, { confirm: "erase everything" })).toMatchObject({ worlds: 2, left: [] });
    expect(filesWith(folder, MARK)).toEqual([]);
  });

  test("works for a service in memory", async () => {
    const service = await started(testConfig(null));
    expect((await service.control(serviceSettings, {})).data_folder.path).toBeNull();
    expect((await service.control(serviceLog, {})).file).toBeNull();
    expect(await service.control(serviceErase, { confirm: "erase everything" })).toMatchObject({ worlds: 1 });
  });
});
