import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { snapshotsExport, snapshotsList } from "../contract/control/snapshot-operations.ts";
import { worldsDelete, worldsList } from "../contract/control/world-operations.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { checkScenario } from "../scenario/read-scenario.ts";
import { stepLines } from "../scenario/report.ts";
import { ScenarioRun } from "../scenario/run-scenario.ts";
import { ScenarioClient } from "../scenario/scenario-client.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

/** Runs steps in fresh worlds. @returns the printed report */
const run = async (steps: readonly unknown[], more: object = {}): Promise<string> => {
  const scenario = checkScenario({ scenario: 1, name: "A test", steps, ...more });
  const one = new ScenarioRun(new ScenarioClient(service.baseUrl, service.ready.control_token), scenario);
  const lines: string[] = [];
  for await (const result of one.steps()) lines.push(...stepLines(result, steps.length));
  await one.cleanUp();
  return lines.join("\n");
};
const list = { call: { operation: "businesses.list", as: "repairer" } };
const insert = (external: string, more: object = {}) => ({
  call: {
    operation: "repairer.jobs.insert",
    as: "repairer",
    body: { identity: { external }, repairer_site_id: "{{sites.items.[type=repairer_site].id}}" },
  },
  ...more,
});
const sites = { ...list, save: "sites" };
const here = { save: "here", receiver: { integration_id: "{{repairer.integration_id}}" } };

describe("a scenario", () => {
  test("continues while its steps pass, with values of earlier ones, and leaves no world", async () => {
    const printed = await run([
      { name: "Which sites there are", ...sites },
      here,
      insert("one", { save: "job", expect: { body: { id: { $is: "uuid" }, external_id: "one" } } }),
      {
        world: "other",
        call: { operation: "repairer.jobs.get", as: "repairer", body: { identity: { id: "{{job.id}}" } } },
        expect: { status: 404, exact: { type: "not_found" } },
      },
      { call: { route: "/__webhooks/subscribe", text: "{" }, expect: { status: 400, body: { reason: "bad_body" } } },
      {
        deliveries: {
          receiver: "here",
          expect: [{ event_type: "repairer.jobs", payload: { job_id: "{{job.id}}" } }],
          others: "none",
        },
      },
    ]);
    expect(printed.split("\n")).toEqual([
      `ok   1  ${"Which sites there are".padEnd(44)}  businesses.list → 200`,
      "ok   2  receivers.create → 200",
      "ok   3  repairer.jobs.insert → 200",
      "ok   4  repairer.jobs.get → 404",
      "ok   5  /__webhooks/subscribe → 400",
      "ok   6  1 notification at here",
    ]);
    expect((await service.control(worldsList, {})).items.map(({ name }) => name)).toEqual(["default"]);
    expect((await service.control(snapshotsList, { everywhere: true })).items).toEqual([]);
  });

  test("ends at the first failed step, with path, expected and actual value", async () => {
    const printed = await run([
      { ...list, save: "mine" },
      {
        name: "Somebody else's",
        call: { operation: "businesses.list", as: "supplier" },
        expect: { body: { items: [{ id: "{{mine.items.0.id}}" }] } },
      },
      list,
    ]);
    const [first, second, path, expected, got, answer, ...more] = printed.split("\n");
    expect(first).toBe("ok   1  businesses.list → 200");
    expect(second).toMatch(/^FAIL 2 {2}Somebody else's +businesses\.list → 200$/);
    expect(path).toBe("       path      /body/items/0/id");
    expect(expected).toMatch(/^ {7}expected {2}"[0-9a-f-]{36}"$/);
    expect(got).toMatch(/^ {7}actual {4}"[0-9a-f-]{36}"$/);
    expect(answer).toContain('{"items":[');
    expect(more).toEqual([]);
  });

  const job = { deliveries: { receiver: "here", expect: [{ event_type: "repairer.jobs" }], within_seconds: 0.3 } };
  const none = { deliveries: { ...job.deliveries, expect: [{ event_type: "repairer.jobs", count: 0 }] } };
  const drop = { control: { operation: "faults.set", body: { effect: { drop: {} }, uses: 1 } } };
  test.each<[string, RegExp, readonly unknown[]]>([
    ["a status", /path {6}\/status\n.*expected {2}404\n.*actual {4}200/, [{ ...list, expect: { status: 404 } }]],
    ["an additional key", /path {6}\/body\/items\n.*expected {2}nothing/, [{ ...list, expect: { exact: {} } }]],
    ["a header", /path {6}\/headers\/x-none/, [{ ...list, expect: { headers: { "x-none": "1" } } }]],
    [
      "an unexpected response",
      /path {6}\/status\n.*expected {2}"no response"/,
      [{ ...list, expect: { no_answer: true } }],
    ],
    ["a missing response", /path {6}\/status\n.*200\n.*actual {4}"no response"/, [drop, list]],
    [
      "an unresolved reference",
      /FAIL 2 .*\n.*\n.*leads nowhere: sites\.items has no 99/,
      [sites, { call: { ...list.call, body: { x: "{{sites.items.99.id}}" } } }],
    ],
    [
      "a missing notification",
      /\/deliveries\/expect\/0\n.*expected {2}\{"event_type":"repairer\.jobs","count":1\}\n.*actual {4}\{"count":0,"of":\[\]\}/,
      [here, job],
    ],
    [
      "an unexpected notification",
      /\/deliveries\/expect\/0\n.*"count":0\}\n.*"count":1/,
      [sites, here, insert("x"), none],
    ],
    [
      "an additional notification",
      /\/deliveries\/others\n.*"none"\n.*repairer\.jobs/,
      [
        sites,
        here,
        insert("x"),
        insert("y"),
        { deliveries: { ...job.deliveries, others: "none", within_seconds: 0.5 } },
      ],
    ],
  ])("reports %s", async (_, printed, steps) => {
    expect(await run(steps)).toMatch(printed);
  });

  test("may expect no response, and a notification at the second attempt", async () => {
    const fast = { control: { operation: "policies.set", body: { policies: { webhook_retries: "fast" } } } };
    const flaky = {
      save: "flaky",
      receiver: {
        integration_id: "{{repairer.integration_id}}",
        behaviour: { answer: "status", status: 503, first: 1 },
      },
    };
    const arrives = { deliveries: { receiver: "flaky", expect: [{ event_type: "repairer.jobs" }], others: "none" } };
    const printed = await run([
      drop,
      { ...list, expect: { no_answer: true } },
      fast,
      flaky,
      sites,
      insert("x"),
      arrives,
    ]);
    expect(printed).toMatch(/ok {3}2 {2}businesses\.list → no response\n/);
    expect(printed).toMatch(/ok {3}7 {2}1 notification at flaky$/);
  });

  test("names the decision of a failed step", async () => {
    const printed = await run([{ ...insert("x", { decision: "D30", expect: { status: 422 } }), call: list.call }]);
    expect(printed).toMatch(
      /\n {7}actual {4}200\n {7}rests on {2}assumption D30: When `if_` is left out and the job exists/,
    );
  });

  test("repeats a call until it passes, for a given time", async () => {
    const failing = {
      operation: "businesses.list",
      uses: 2,
      effect: { error: { code: "internal_error" } },
    };
    const fault = { control: { operation: "faults.set", body: failing } };
    const fired = { control: { operation: "faults.list" }, expect: { body: { items: [{ fired: 2 }] } } };
    expect(await run([fault, { ...list, expect: { within_seconds: 30 } }, fired])).toMatch(
      /ok {3}3 {2}faults\.list → 200$/,
    );
    const early = await run([fault, { ...list, expect: { within_seconds: 0 } }]);
    expect(early).toMatch(/path {6}\/status\n.*200\n.*actual {4}500/);
  });

  test("reaches only its own service and prepared addresses, whatever a response names (D89)", async () => {
    const seen: (string | undefined)[] = [];
    const other = http.createServer((request, response) => {
      seen.push(request.url);
      response.end();
    });
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const job = { identity: { external: "x" }, repairer_site_id: "{{sites.items.[type=repairer_site].id}}" };
    const images = [`http://127.0.0.1:${port}/latest/api/token`, `${service.baseUrl}/__sandbox/service.erase`];
    const named = {
      save: "job",
      call: { operation: "repairer.jobs.insert", as: "repairer", body: { ...job, images } },
    };
    const put = (index: number) => ({
      call: { route: `{{job.images.${index}.public_url}}`, method: "PUT", base64: "AAEC" },
    });
    expect(await run([sites, named, put(0)])).toMatch(
      /\nFAIL 3 .*\n.*\/call\n.*\(D89\)"\n.*leads to http:\/\/127\.0\.0\.1:\d+, which is not the service/,
    );
    expect(await run([sites, named, put(1)])).toMatch(/\nFAIL 3 .*\n.*\/call\n.*\n.*is of the control plane/);
    expect(seen).toEqual([]);
    const prepare = { operation: "uploads.prepare", as: "repairer" };
    const asked = { file_name: "a.png", media_type: "image", type: "job_media" };
    const prepared = { save: "upload", call: { ...prepare, body: asked } };
    const upload = { call: { route: "{{upload.upload_url}}", method: "PUT", base64: "AAEC" }, expect: { status: 415 } };
    expect(await run([prepared, upload])).toMatch(/\n(ok {3}|FAIL )2 {2}PUT \/__uploads\/[0-9a-f-]{36} → 4\d\d/);
  });

  test("doesn't wait for a slow call after it was ended", async () => {
    const slow = { control: { operation: "faults.set", body: { effect: { delay: { ms: 60_000 } }, uses: 1 } } };
    const scenario = checkScenario({ scenario: 1, name: "Slow", steps: [slow, list] });
    const client = new ScenarioClient(service.baseUrl, service.ready.control_token);
    const ending = new AbortController();
    const one = new ScenarioRun(client, scenario, { signal: ending.signal });
    const steps = one.steps();
    await steps.next();
    setTimeout(() => ending.abort(new Error("ended")), 200);
    await expect(steps.next()).rejects.toThrow("ended");
    await one.cleanUp();
    expect((await service.control(worldsList, {})).items.map(({ name }) => name)).toEqual(["default"]);
  });

  test("derives its IDs from the recorded calls, if it proves its origin", async () => {
    const trace = "01923456-789a-4bcd-8ef0-123456789abc";
    const came = { at: new Date().toISOString(), trace_id: trace, status: 200, body: {} };
    const made = async (more: object): Promise<string> => {
      const [line = ""] = (await run([sites, insert("x", { ...more, expect: { body: { id: "none" } } })]))
        .split("\n")
        .filter((one) => / {7}(actual|now) /.test(one));
      return line;
    };
    expect(await made({ came })).toBe(await made({ came }));
    expect(await made({ came })).toMatch(/"01923456-789a-4[0-9a-f]{3}-[89ab]/);
    expect(await made({})).not.toMatch(/01923456/);
    const forged = { "x-sandbox-tenant": "forged", "x-sandbox-origin": `scenario wrong ${trace}` };
    const job = { identity: { external: "x" }, repairer_site_id: await ownSite(service) };
    expect((await service.ok(jobsInsert, job, repairer, forged)).id).not.toMatch(/^01923456/);
    await service.control(worldsDelete, { world: "forged", checkpoint: false });
  });

  test("with an exported world reproduces what happened there", async () => {
    const repairer_site_id = await ownSite(service);
    await service.ok(jobsInsert, { identity: { external: "seen" }, repairer_site_id }, repairer);
    const { document } = await service.control(snapshotsExport, {});
    const read = { call: { operation: "repairer.jobs.get", as: "repairer", body: { identity: { external: "seen" } } } };
    const conflict = insert("seen", { expect: { status: 422, body: { type: "unprocessable" } } });
    expect(await run([read, sites, conflict], { start: document })).toMatch(/ok {3}3 .* → 422$/);
    expect((await service.control(snapshotsList, { everywhere: true })).items).toEqual([]);
  }, 60_000);
});
