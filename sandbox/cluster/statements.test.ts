import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { businessesList } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { SharedDatabase } from "./database.ts";

const postgres = await TestPostgres.start();

describe("what nodes ask of their database", () => {
  beforeEach((context) => context.skip(postgres === null, NO_POSTGRES));
  const running: TestService[] = [];
  const node = async (): Promise<TestService> => {
    const started = await startTestService(undefined, { cluster: postgres?.url ?? "" });
    running.push(started);
    return started;
  };
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });
  afterAll(() => postgres?.end());

  const inWorld = (world: string) => ({ "x-sandbox-tenant": world });
  const stranger = { ...repairer, api_key: "isk_nobodys" };

  /** @returns the statements since then that have one of these worlds among their values */
  const statementsAbout = (worlds: readonly string[]): (() => string[]) => {
    const run = vi.spyOn(SharedDatabase.prototype, "run");
    onTestFinished(() => run.mockRestore());
    return () =>
      run.mock.calls
        .filter(([, values = []]) => values.some((value) => worlds.some((world) => value === world)))
        .map(([text]) => text);
  };

  test("calls with an unknown key to random world names look once each whether there is such a world, and take none", async () => {
    const service = await node();
    const worlds = Array.from({ length: 50 }, () => `w-${randomUUID()}`);
    const said = statementsAbout(worlds);
    const answers = await Promise.all(
      worlds.map((world) => service.call(businessesList, {}, stranger, inWorld(world))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(said().length).toBe(50);
    expect(new Set(said().map((text) => text.split(" ", 1)[0]))).toEqual(new Set(["SELECT"]));
  });

  test("a world that doesn't exist is looked up once a second for one key, and at once for another", async () => {
    const [first, second] = [await node(), await node()];
    const said = statementsAbout(["absent"]);
    for (let calls = 0; calls < 50; calls += 1) await first.call(businessesList, {}, stranger, inWorld("absent"));
    expect(said().length).toBeLessThan(5);
    expect((await second.call(businessesList, {}, repairer, inWorld("absent"))).status).toBe(200);
    const other = { ...stranger, api_key: "isk_anothers" };
    // The world is the second node's by now.
    const before = said().length;
    expect((await first.call(businessesList, {}, other, inWorld("absent"))).status).toBe(401);
    expect(said().length).toBeGreaterThan(before + 1);
  });
});
