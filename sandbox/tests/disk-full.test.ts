import path from "node:path";
import { afterAll, type TestContext, test } from "vitest";
import { worldsPin } from "../contract/control/world-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, TestService } from "../testing/harness.ts";
import { integrityFault } from "../testing/integrity.ts";
import { ownSite } from "../testing/order.ts";
import { CommandProcess } from "../testing/process.ts";
import { SmallDisk } from "../testing/small-disk.ts";

const mounted: SmallDisk[] = [];
afterAll(() => {
  for (const disk of mounted) disk.remove();
});

/** A small disk, or a skipped test that says why there is none. */
const diskFor = (context: TestContext, megabytes = 8): SmallDisk => {
  const disk = SmallDisk.mount(megabytes);
  if (typeof disk === "string") return context.skip(`no full disk, because ${disk}`);
  mounted.push(disk);
  return disk;
};

const run = ({ onTestFinished }: TestContext, data: string): CommandProcess => {
  const command = new CommandProcess(["--port", "0", "--data", data, "--log", "json"]);
  onTestFinished(async () => void (await command.kill("SIGKILL")));
  return command;
};
const serve = async (context: TestContext, data: string) => {
  const command = run(context, data);
  const ready = await command.ready(20_000);
  const stop = async (): Promise<void> => void (await command.kill("SIGTERM"));
  return { command, service: new TestService(data, { ready, address: ready.base_url, stop }) };
};
const insert = async (service: TestService, external: string): Promise<number> => {
  const job = { identity: { external }, repairer_site_id: await ownSite(service) };
  return (await service.call(jobsInsert, job, repairer)).status;
};

const expectRefusedStart = async (context: TestContext, data: string): Promise<void> => {
  const { status, stdout, stderr } = await run(context, data).ended;
  context.expect({ status, stdout, stderr }).toEqual({
    ...{ status: 1, stdout: "" },
    stderr: `The data folder ${data} cannot be used: its disk is full. Free some space, or choose another folder with --data.\n`,
  });
};

test.concurrent("a start on a full disk prints one sentence and exits with 1, in a new or used folder and after a crash", async (context) => {
  const { expect } = context;
  const disk = diskFor(context);
  const data = path.join(disk.folder, "data");
  disk.fill();
  await expectRefusedStart(context, data);
  disk.free();

  const first = await serve(context, data);
  expect(await insert(first.service, "kept")).toBe(200);
  await first.command.kill("SIGTERM");
  disk.fill();
  await expectRefusedStart(context, data);
  disk.free();

  const second = await serve(context, data);
  expect(await insert(second.service, "kept over a crash")).toBe(200);
  await second.command.kill("SIGKILL");
  disk.fill();
  await expectRefusedStart(context, data);
  disk.free();

  const third = await serve(context, data);
  for (const external of ["kept", "kept over a crash"])
    expect((await third.service.call(jobsGet, { identity: { external } }, repairer)).status).toBe(200);
  await third.command.kill("SIGTERM");
  expect(integrityFault(data)).toBeNull();
}, 60_000);

test.concurrent("a service on a full disk says so in each response and once in its log, keeps reading, and stops normally", async (context) => {
  const { expect } = context;
  const disk = diskFor(context);
  const { command, service } = await serve(context, path.join(disk.folder, "data"));
  expect(await insert(service, "before")).toBe(200);
  await service.ok(businessesList, {}, repairer, { "x-sandbox-tenant": "team" });
  disk.fill();
  let refused = 0;
  for (let calls = 0; calls < 200 && refused < 5; calls += 1)
    if ((await insert(service, `while full ${calls}`)) === 503) refused += 1;
  expect(refused).toBe(5);
  disk.fill();

  const control = { authorization: `Bearer ${service.ready.control_token}` };
  const tenant = await service.call(businessesList, {}, repairer, { "x-sandbox-tenant": "a-new-one" });
  const pin = await service.post(operationPath(worldsPin), { world: "team", pinned: true }, control);
  const health = await service.raw("/__health", { method: "GET" });
  for (const { status, body } of [tenant, pin, health])
    expect([status, body]).toEqual([
      503,
      { type: "storage_unavailable", message: expect.stringMatching(/^The change could not .* try again\.$/) },
    ]);
  expect((await service.call(jobsGet, { identity: { external: "before" } }, repairer)).status).toBe(200);
  // Longer than background work waits before it runs.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  expect((await service.call(jobsGet, { identity: { external: "before" } }, repairer)).status).toBe(200);

  const { status, stderr } = await command.kill("SIGTERM");
  expect(status).toBe(0);
  const lines = stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly level: string; readonly message: string });
  const logged = lines.filter(({ level, message }) => level === "error" && !message.startsWith("a change could not"));
  expect(logged.map(({ message }) => message)).toEqual([expect.stringMatching(/^the disk accepts no writes: /)]);
}, 60_000);
