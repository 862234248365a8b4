import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { requestsList } from "../contract/control/operations.ts";
import { jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { fakedTime, missingProgram } from "../testing/debian.ts";
import { repairer, startTestService, TestService, temporaryFolder } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { CommandProcess } from "../testing/process.ts";
import { SharedDatabase } from "./database.ts";

const postgres = await TestPostgres.start();
const faked = fakedTime();
const noFaketime = faked ? null : missingProgram("faketime");
const missing = postgres ? noFaketime : NO_POSTGRES;
afterAll(() => postgres?.end());

// The timeout includes building the command.
describe("nodes with different clocks", { timeout: 60_000 }, () => {
  beforeEach((context) => context.skip(missing !== null, missing ?? ""));
  const ending: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
  });

  const node = async (url = postgres?.url ?? ""): Promise<TestService> => {
    const started = await startTestService(undefined, { cluster: url });
    ending.push(() => started.stop());
    return started;
  };
  /** Starts a node whose clock is ahead by an offset, or by the current content of a file. */
  const nodeAhead = (offset: string): CommandProcess => {
    const setTo = path.isAbsolute(offset)
      ? { FAKETIME_TIMESTAMP_FILE: offset, FAKETIME_NO_CACHE: "1" }
      : { FAKETIME: offset };
    const args = ["--port", "0", "--cluster", postgres?.url ?? "", "--log", "silent", "--metrics", "on"];
    const command = new CommandProcess(args, { ...faked, ...setTo });
    ending.push(() => command.kill("SIGKILL"));
    return command;
  };
  const serviceOf = async (command: CommandProcess): Promise<TestService> => {
    const ready = await command.ready(20_000);
    return new TestService(temporaryFolder(), { ready, address: ready.base_url, stop: async () => undefined });
  };
  const inWorld = (world: string) => ({ "x-sandbox-tenant": world });
  const insert = async (service: TestService, world: string, external: string) => {
    const job = { identity: { external }, repairer_site_id: await ownSite(service, inWorld(world)) };
    return service.ok(jobsInsert, job, repairer, inWorld(world));
  };

  test.each(["+61m", "-61m"])("D98: a node that is off by %s refuses to join and says why", async (offset) => {
    const first = await node();
    const world = `off${offset.length}${offset.charCodeAt(0)}`;
    const { id } = await insert(first, world, "a:1");
    const command = nodeAhead(offset);
    const { status, stderr } = await command.ended;
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^The clock of this machine is 36\d\d seconds (ahead of|behind) the one of the database of --cluster; at most 5 are allowed\. Have NTP set both/,
      ),
    ]);
    expect((await first.ok(jobsGet, { identity: { id } }, repairer, inWorld(world))).id).toBe(id);
  });

  test("D98: a node three seconds ahead uses the database's clock", async () => {
    const first = await node();
    const { id } = await insert(first, "ahead", "a:1");
    await first.stop();
    const second = await serviceOf(nodeAhead("+3s"));
    expect((await second.ok(jobsGet, { identity: { id } }, repairer, inWorld("ahead"))).id).toBe(id);
    const before = Date.now();
    await insert(second, "ahead", "a:2");
    const after = Date.now();
    const { items } = await second.control(requestsList, { world: "ahead", operation: jobsInsert.id });
    const at = Date.parse(items[0]?.at ?? "");
    expect(at).toBeGreaterThanOrEqual(before - 500);
    expect(at).toBeLessThanOrEqual(after + 500);
    const headers = { authorization: `Bearer ${second.ready.control_token}` };
    const { text } = await second.raw("/metrics", { method: "GET", headers });
    expect(Number(/^sandbox_clock_offset_seconds (\S+)$/m.exec(text)?.[1])).toBeCloseTo(3, 0);
  });

  test("D98: a node with a changed clock gives its worlds away, and takes worlds again when it is right", async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "ahead");
    fs.writeFileSync(file, "+0");
    const other = await node();
    const command = nodeAhead(file);
    const off = await serviceOf(command);
    const { id } = await insert(off, "set", "a:1");
    fs.writeFileSync(file, "+61m");
    const health = async () => (await off.raw("/__health", { method: "GET" })).text;
    await vi.waitUntil(async () => (await health()).includes("has a wrong clock"), { timeout: 10_000, interval: 50 });
    const read = (service: TestService) => service.call(jobsGet, { identity: { id } }, repairer, inWorld("set"));
    // Until the next beat, calls are refused because the lease looks old, and then accepted for a moment.
    const says = "The clock of this node is wrong";
    await vi.waitUntil(async () => (await read(off)).text.includes(says), { timeout: 10_000, interval: 50 });
    expect((await read(off)).status).toBe(503);
    expect((await read(other)).status).toBe(200);
    fs.writeFileSync(file, "+0");
    await vi.waitUntil(async () => (await read(off)).status === 200, { timeout: 10_000, interval: 50 });
    expect(await health()).not.toContain("has a wrong clock");
  });

  test.each(["+10", "-10"])(
    "when the database's clock moves by %s s, only the owner answers for a world",
    async (step) => {
      const folder = temporaryFolder();
      fs.chmodSync(folder, 0o755);
      const file = path.join(folder, "ahead");
      fs.writeFileSync(file, "+0");
      const stepping = await TestPostgres.start({ ...faked, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: "1" });
      ending.push(async () => stepping?.end());
      const [first, second] = [await node(stepping?.url), await node(stepping?.url)];
      const repairer_site_id = await ownSite(second, inWorld("elsewhere"));
      await insert(first, "stepped", "a:1");
      const database = new SharedDatabase(stepping?.url ?? "", 1, () => undefined);
      ending.push(() => database.close());
      const beat = async () => {
        const select = "SELECT beat FROM sandbox_nodes JOIN sandbox_worlds ON owner = id WHERE name = 'stepped'";
        return String((await database.run(select))[0]?.beat);
      };
      // For nearly a second after this beat, other nodes see no beat of the first node since the step.
      const before = await beat();
      await vi.waitUntil(async () => (await beat()) !== before, { timeout: 3_000, interval: 5 });
      fs.writeFileSync(file, step);
      const job = { identity: { external: "a:2" }, repairer_site_id };
      // If the second node's beat comes first, it finds its own lease unsure too, and refuses for a moment. A call that
      // ran before the lease became unsure is also refused; the next one then finds its job, and gets 422.
      const inserted = async () => (await second.call(jobsInsert, job, repairer, inWorld("stepped"))).status;
      await vi.waitUntil(async () => [200, 422].includes(await inserted()), { timeout: 15_000, interval: 50 });
      const headers = { authorization: `Bearer ${first.ready.control_token}` };
      const asked = { world: "stepped", operation: jobsInsert.id };
      const answered: string[] = [];
      await new Promise((resolve) => setTimeout(resolve, 500));
      for (const until = performance.now() + 7_000; performance.now() < until; ) {
        const { status, body } = await first.call(requestsList, asked, undefined, headers);
        answered.push(status === 200 ? `${Math.min(body.items.length, 2)} inserts` : String(status));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(new Set(answered)).toContain("2 inserts");
      expect(answered).not.toContain("1 inserts");
    },
  );
});
