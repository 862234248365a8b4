import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { tracesGet } from "../contract/control/operations.ts";
import {
  type Run,
  runsGet,
  runsList,
  runsStart,
  runsStep,
  runsStop,
  scenariosCheck,
  scenariosDelete,
  scenariosGet,
  scenariosList,
  scenariosSave,
} from "../contract/control/scenario-operations.ts";
import { clockAdvance, policiesGet, worldsList, worldsPin } from "../contract/control/world-operations.ts";
import { maskSecret } from "../contract/known-secrets.ts";
import { type Operation, operationPath, type RequestOf } from "../contract/operation.ts";
import { businessesList, integrationsInsert, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const ask = <O extends Operation>(operation: O, body: RequestOf<O>) =>
  service.post<{ readonly message?: string }>(operationPath(operation), body, {
    authorization: `Bearer ${service.ready.control_token}`,
  });
const worlds = async (): Promise<string[]> => (await service.control(worldsList, {})).items.map(({ name }) => name);

/** Polls a run until it satisfies a condition, for at most ten seconds. */
const until = async (id: string, is: (run: Run) => boolean): Promise<Run> => {
  for (const end = Date.now() + 10_000; ; ) {
    const run = await service.control(runsGet, { id });
    if (is(run) || Date.now() > end) return run;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const over = (id: string): Promise<Run> => until(id, ({ ended_at }) => ended_at !== null);
const waitsFor = (id: string, number: number): Promise<Run> =>
  until(id, ({ next, state }) => state === "waiting" && next?.number === number);

const list = { call: { operation: "businesses.list", as: "repairer" } };
const scenario = (steps: readonly unknown[], more: object = {}) => ({ scenario: 1, name: "A test", steps, ...more });
const byHand = async (steps: readonly unknown[], more: object = {}): Promise<Run> => {
  const { id } = await service.control(runsStart, { scenario: scenario(steps), mode: "by_hand", ...more });
  onTestFinished(async () => void (await ask(runsStop, { id })));
  return waitsFor(id, 1);
};
const inWorldOf = ({ world }: Run): Record<string, string> => ({ "x-sandbox-tenant": world ?? "" });

describe("stored scenarios", () => {
  test("are those of docs/scenarios and saved ones, as whole files", async () => {
    const folder = path.join(import.meta.dirname, "..", "..", "docs", "scenarios");
    const files = fs.readdirSync(folder).filter((file) => file.endsWith(".json"));
    const { items } = await service.control(scenariosList, {});
    expect(items.map(({ name }) => `${name}.json`)).toEqual(files.toSorted());
    expect(items.every(({ source, problem, steps }) => source === "shipped" && problem === null && steps > 0)).toBe(
      true,
    );
    const saved = await service.control(scenariosSave, { name: "mine", scenario: scenario([list]) });
    expect(saved).toMatchObject({ name: "mine", source: "own", title: "A test", steps: 1, reproduction: false });
    expect((await service.control(scenariosGet, { name: "mine" })).scenario).toEqual(scenario([list]));
    expect(fs.readdirSync(path.join(service.folder, "scenarios"))).toEqual(["mine.json"]);
    expect(await ask(scenariosSave, { name: "mine", scenario: scenario([list]) })).toMatchObject({ status: 422 });
    const again = { name: "mine", scenario: scenario([list, list]), replace: true };
    expect(await service.control(scenariosSave, again)).toMatchObject({ steps: 2 });
    expect((await service.control(scenariosList, {})).items.at(-1)).toMatchObject({ name: "mine", steps: 2 });
    expect(await service.control(scenariosDelete, { name: "mine" })).toEqual({ ok: true });
    expect(await ask(scenariosGet, { name: "mine" })).toMatchObject({ status: 404 });
    expect(await ask(scenariosDelete, { name: "mine" })).toMatchObject({ status: 404 });
  });

  test("are refused with the wrong field, without writing anything", async () => {
    const save = async (name: string, value: unknown) => {
      const { status, body } = await ask(scenariosSave, { name, scenario: value });
      return `${status} ${body.message}`;
    };
    expect(await save("../out", scenario([list]))).toMatch(/^400 \/name must match/);
    expect(await save("rate-limit", scenario([list]))).toMatch(/^422 .*is a shipped scenario/);
    expect(await save("bad", scenario([]))).toMatch(/^400 \/scenario isn’t valid: \/steps /);
    expect(await save("bad", scenario([{ ...list, cal: 1 }]))).toMatch(/^400 .*\/steps\/0.*cal/);
    expect(await save("bad", scenario([{ call: { operation: "x" } }]))).toMatch(
      /\/steps\/0\/call\/operation x isn’t an operation/,
    );
    expect(await ask(scenariosDelete, { name: "rate-limit" })).toMatchObject({ status: 422 });
    const folder = path.join(service.folder, "scenarios");
    expect(fs.existsSync(folder) ? fs.readdirSync(folder) : []).toEqual([]);
  });

  test("are refused if deeply nested", async () => {
    const levels = 100_000;
    const deep = (inside: string) =>
      `{"scenario":1,"name":"n","steps":[{"call":{"operation":"businesses.list"},${inside}}]}`;
    const nested = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const file = deep(`"expect":{"body":${nested}}`);
    for (const operation of [scenariosSave, scenariosCheck, runsStart]) {
      const named = operation === scenariosSave ? '"name":"deep",' : "";
      const answer = await service.raw(operationPath(operation), {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${service.ready.control_token}` },
        body: `{${named}"scenario":${file}}`,
      });
      expect(answer.status, operation.id).toBe(400);
      expect(answer.text).toContain("nested more than 64 levels");
    }
  });

  test("are checked before saving, with every wrong field", async () => {
    const pointersOf = async (value: unknown) =>
      (await service.control(scenariosCheck, { scenario: value })).findings.map(({ pointer }) => pointer);
    expect(await pointersOf(scenario([list]))).toEqual([]);
    const twice = scenario([
      { ...list, name: 1 },
      { ...list, expect: { status: 9 } },
    ]);
    expect(await pointersOf(twice)).toEqual(["/steps/0/name", "/steps/1/expect/status"]);
    expect(await pointersOf(scenario([{ call: { operation: "x" } }]))).toEqual(["/steps/0/call/operation"]);
    expect(await pointersOf(scenario([{ ...list, expect: { headers: { "a/b": { $like: 1 } } } }]))).toEqual([
      "/steps/0/expect/headers/a~1b/$like",
    ]);
    const [first] = (await service.control(scenariosCheck, { scenario: twice })).findings;
    const { body } = await ask(scenariosSave, { name: "bad", scenario: twice });
    expect(body.message).toBe(`/scenario isn’t valid: ${first?.message}.`);
  });

  test("may be large, up to a limit", async () => {
    const scenarioWithSize = (bytes: number) =>
      scenario([{ ...list, name: "x" }], { about: "", steps: [{ call: { route: "/x", text: "x".repeat(bytes) } }] });
    await service.control(scenariosSave, { name: "large", scenario: scenarioWithSize(4 * 1024 * 1024) });
    onTestFinished(async () => void (await service.control(scenariosDelete, { name: "large" })));
    expect(await ask(scenariosSave, { name: "larger", scenario: scenarioWithSize(17 * 1024 * 1024) })).toMatchObject({
      status: 413,
    });
    expect(fs.readdirSync(path.join(service.folder, "scenarios"))).toEqual(["large.json"]);
  });

  test("that became invalid stay listed, with the reason", async () => {
    const file = path.join(service.folder, "scenarios", "broken.json");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '{"scenario": 1');
    onTestFinished(() => fs.rmSync(file));
    const row = (await service.control(scenariosList, {})).items.find(({ name }) => name === "broken");
    expect(row?.problem).toMatch(/^Not a valid scenario: it isn’t valid JSON/);
    expect(await ask(scenariosGet, { name: "broken" })).toMatchObject({ status: 422 });
    expect(await ask(runsStart, { name: "broken" })).toMatchObject({ status: 422 });
  });
});

describe("a run of all steps", () => {
  test("stores every step's response, without secrets", async () => {
    const issued = { client_id: "{{client.client_id}}", organization_id: "{{repairer.organization_id}}" };
    const job = {
      identity: { external: "{{repairer.api_key}}" },
      repairer_site_id: "{{sites.items.[type=repairer_site].id}}",
    };
    const steps = [
      { ...list, save: "sites" },
      { control: { operation: "access-codes.issue", body: { ...issued, scope: "repairer" } } },
      {
        call: { operation: "repairer.jobs.insert", as: "repairer", body: job },
        expect: { body: { external_id: "x" } },
      },
    ];
    const { id } = await service.control(runsStart, { scenario: scenario(steps) });
    const { results } = await over(id);
    expect(results.map(({ outcome }) => outcome)).toEqual(["held", "held", "differs"]);
    expect(results[0]?.answer).toContain("repairer_site");
    expect(results[1]?.answer).toContain('"access_code":"ac_••••');
    expect(results[2]?.difference?.got).toBe(maskSecret(repairer.api_key));
    expect(JSON.stringify(results)).not.toContain(repairer.api_key);
    await service.control(runsStop, { id });
  });

  test("reports the result of each step, and leaves no world", async () => {
    const { id } = await service.control(runsStart, { name: "scope-and-organization" });
    const run = await over(id);
    expect(run).toMatchObject({ state: "held", name: "scope-and-organization", differs_at: null, worlds: [] });
    expect(run.held).toBe(run.steps);
    expect(run.results.map(({ number }) => number)).toEqual(run.results.map((_, index) => index + 1));
    expect(run.results.every(({ by, outcome }) => by === "scenario" && outcome === "held")).toBe(true);
    expect(await worlds()).toEqual(["default"]);
    expect((await service.control(runsList, {})).items[0]).toMatchObject({ id, state: "held" });
  });

  test("ends at the first difference, and keeps its world until deleted", async () => {
    const steps = [list, { ...list, expect: { status: 404 } }, list];
    const { id } = await service.control(runsStart, { scenario: scenario(steps) });
    const run = await over(id);
    expect(run).toMatchObject({ state: "differs", held: 1, differs_at: 2, worlds: [run.world] });
    const [, second, ...more] = run.results;
    expect(second).toMatchObject({ difference: { path: "/status", expected: 404, got: 200 } });
    expect(more).toEqual([]);
    const trace = await service.control(tracesGet, { world: run.world ?? "", id: second?.trace_id ?? "" });
    expect(trace.request).toMatchObject({ operation: "businesses.list", origin: "scenario" });
    expect((await service.control(runsStop, { id })).worlds).toEqual([]);
    expect(await worlds()).toEqual(["default"]);
  });

  test("deletes the world of its previous run, unless that is pinned", async () => {
    const differing = { ...list, expect: { status: 201 } };
    await service.control(scenariosSave, { name: "again", scenario: scenario([differing]) });
    onTestFinished(async () => void (await service.control(scenariosDelete, { name: "again" })));
    const ran = async () => {
      const { id, world } = await service.control(runsStart, { name: "again" });
      expect((await over(id)).state).toBe("differs");
      onTestFinished(async () => void (await ask(runsStop, { id })));
      return world ?? "";
    };
    const [first, second] = [await ran(), await ran()];
    await expect.poll(worlds).not.toContain(first);
    expect(await worlds()).toContain(second);
    await service.control(worldsPin, { world: second, pinned: true });
    const third = await ran();
    expect(await worlds()).toEqual(expect.arrayContaining([second, third]));
    await ran();
    await expect.poll(worlds).not.toContain(third);
    expect(await worlds()).toContain(second);
  });

  test("can be stopped during a call, and leaves no world", async () => {
    const slow = { control: { operation: "faults.set", body: { effect: { delay: { ms: 60_000 } } } } };
    const { id } = await service.control(runsStart, { scenario: scenario([slow, list]) });
    await until(id, ({ held }) => held === 1);
    expect(await service.control(runsStop, { id })).toMatchObject({ state: "stopped", worlds: [] });
    expect(await worlds()).toEqual(["default"]);
  });

  test("accepts settings that differ from its file's", async () => {
    const steps = [
      { control: { operation: "policies.get" }, expect: { body: { policies: { confirm_when_confirmed: "reject" } } } },
    ];
    const asked = { scenario: scenario(steps), policies: { confirm_when_confirmed: "reject" } } as const;
    const { id } = await service.control(runsStart, asked);
    expect(await over(id)).toMatchObject({ state: "held", policies: { confirm_when_confirmed: "reject" } });
    const wrong = { scenario: scenario(steps), policies: { confirm_when_confirmed: "never" } } as object;
    expect((await ask(runsStart, wrong)).body.message).toMatch(/^\/policies\/confirm_when_confirmed must be one of/);
    expect((await service.control(policiesGet, {})).policies.confirm_when_confirmed).toBe("ok");
  });

  test("is refused without anything to run", async () => {
    const refused = async (body: RequestOf<typeof runsStart>) => (await ask(runsStart, body)).status;
    expect(await refused({})).toBe(400);
    expect(await refused({ name: "none" })).toBe(404);
    expect(await refused({ scenario: 1 })).toBe(400);
    const id = "00000000-0000-4000-8000-000000000000";
    for (const operation of [runsGet, runsStep, runsStop]) expect((await ask(operation, { id })).status).toBe(404);
  });

  test("is forgotten after twenty later ones", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 21; count += 1) {
      const { id } = await service.control(runsStart, { scenario: scenario([list]) });
      ids.push(id);
      await over(id);
    }
    expect((await service.control(runsList, {})).items).toHaveLength(20);
    expect((await ask(runsGet, { id: ids[0] ?? "" })).status).toBe(404);
  });
});

describe("a run step by step", () => {
  const insert = {
    save: "job",
    call: { operation: "repairer.jobs.insert", as: "repairer", body: { identity: { external: "one" } } },
    expect: { body: { external_id: "one" } },
  };

  test("completes a step when its call comes from anywhere, but for no other call", async () => {
    const run = await byHand([{ ...list, save: "sites" }, list]);
    expect(run.next).toMatchObject({ number: 1, world: run.world, credential: repairer.integration_id });
    await service.ok(businessesList, {}, supplier, inWorldOf(run));
    await service.ok(businessesList, {}, repairer);
    expect(await waitsFor(run.id, 1)).toMatchObject({ held: 0 });
    await service.ok(businessesList, {}, repairer, inWorldOf(run));
    const ticked = await waitsFor(run.id, 2);
    expect(ticked.results).toMatchObject([
      { number: 1, outcome: "held", by: "partner", detail: "businesses.list → 200" },
    ]);
    const explorer = { "x-sandbox-origin": `explorer ${service.ready.control_token}` };
    await service.ok(businessesList, {}, repairer, { ...inWorldOf(run), ...explorer });
    const done = await over(run.id);
    expect(done).toMatchObject({ state: "held", held: 2, worlds: [run.world] });
    expect(done.results[1]).toMatchObject({ by: "explorer", trace_id: expect.any(String) });
  });

  test("reports a different response, and accepts the step again", async () => {
    const run = await byHand([{ ...insert, decision: "D30" }]);
    const site = (await service.ok(businessesList, {}, repairer, inWorldOf(run))).items.find(
      ({ type }) => type === "repairer_site",
    );
    const send = (external: string) =>
      service.call(jobsInsert, { identity: { external }, repairer_site_id: site?.id ?? "" }, repairer, inWorldOf(run));
    await send("two");
    const differs = await until(run.id, ({ differs_at }) => differs_at === 1);
    expect(differs).toMatchObject({ state: "waiting", held: 0, next: { number: 1 } });
    expect(differs.results[0]?.difference).toEqual({ path: "/body/external_id", expected: "one", got: "two" });
    expect(differs.results[0]?.decision).toMatchObject({ id: "D30", meaning: expect.any(String) });
    await send("one");
    expect(await over(run.id)).toMatchObject({ state: "held", differs_at: null });
  });

  test("saves values from responses, including secrets, for later steps", async () => {
    const steps = [
      {
        save: "code",
        control: {
          operation: "access-codes.issue",
          body: {
            client_id: "{{client.client_id}}",
            organization_id: "{{repairer.organization_id}}",
            scope: "repairer",
          },
        },
      },
      {
        save: "installed",
        call: {
          operation: "integrations.insert",
          body: {
            client_id: "{{client.client_id}}",
            client_secret: "{{client.client_secret}}",
            access_code: "{{code.access_code}}",
          },
        },
      },
      {
        call: {
          operation: "businesses.list",
          credentials: { api_key: "{{installed.api_key}}", integration_id: "{{installed.integration_id}}" },
        },
      },
    ];
    const run = await byHand(steps);
    const { id } = run;
    await service.control(runsStep, { id });
    const second = await waitsFor(id, 2);
    const next = second.next?.step as { call: { body: RequestOf<typeof integrationsInsert> } } | undefined;
    if (!next) throw new Error("there is no next step");
    const { api_key, integration_id } = await service.ok(integrationsInsert, next.call.body, undefined, inWorldOf(run));
    const third = await waitsFor(id, 3);
    expect(third.next).toMatchObject({ credential: integration_id, step: { call: { credentials: { api_key } } } });
    expect(await service.control(runsStep, { id })).toMatchObject({ state: "held", held: 3 });
  });

  test("completes a control step when anyone performs the same act", async () => {
    const run = await byHand([{ control: { operation: "clock.advance", body: { seconds: 60 } } }, list]);
    const world = run.world ?? "";
    await service.control(clockAdvance, { world, seconds: 5 });
    await service.control(clockAdvance, { world, seconds: 60 });
    expect((await waitsFor(run.id, 2)).results).toMatchObject([{ outcome: "held", by: "explorer", trace_id: null }]);
  });

  test("checks deliveries by itself, after a step sent by the button", async () => {
    const sites = { ...list, save: "sites" };
    const job = {
      ...insert.call,
      body: { ...insert.call.body, repairer_site_id: "{{sites.items.[type=repairer_site].id}}" },
    };
    const run = await byHand([
      { save: "here", receiver: { integration_id: "{{repairer.integration_id}}" } },
      sites,
      { ...insert, call: job },
      { deliveries: { receiver: "here", expect: [{ event_type: "repairer.jobs" }], others: "none" } },
    ]);
    await service.control(runsStep, { id: run.id, to: 3 });
    expect(await over(run.id)).toMatchObject({ state: "held", held: 4 });
    // A player asks for the last step after its time for the one before.
    expect(await service.control(runsStep, { id: run.id, to: 4 })).toMatchObject({ state: "held", held: 4 });
    expect((await ask(runsStep, { id: run.id })).status).toBe(422);
  });
});
