import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../command/run.ts";
import { clientsList, credentialsList, deliveriesList } from "../contract/control/operations.ts";
import { scenariosRecord } from "../contract/control/scenario-operations.ts";
import { snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { policiesSet, worldsList } from "../contract/control/world-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { jobsGet, procurementsCancel, supplierProcurementsConfirm } from "../contract/operations/partner.ts";
import type { Scenario } from "../contract/scenario.ts";
import {
  repairer,
  startTestService,
  supplier,
  type TestService,
  temporaryFolder,
  testConfig,
} from "../testing/harness.ts";
import { placeOrder } from "../testing/order.ts";

let support: TestService;
let developer: TestService;
const folder = temporaryFolder();
beforeAll(async () => {
  [support, developer] = await Promise.all([startTestService(), startTestService()]);
});
afterAll(async () => {
  await Promise.all([support.end(), developer.end()]);
  fs.rmSync(folder, { recursive: true, force: true });
});

let stdout = "";
beforeEach(() => {
  stdout = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
});

const runThere = (file: string, ...more: string[]): Promise<number> => {
  const { base_url, control_token } = developer.ready;
  return run([file, "--url", base_url, "--token", control_token, ...more], () => testConfig(null));
};

/** Subscribes a supplier's server that is down. */
const subscribeBroken = async (secret: string): Promise<void> => {
  const server = http.createServer((_request, response) =>
    response.writeHead(503, { "x-note": secret }).end(Buffer.from(`\xff ${secret}`, "latin1")),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  await support.post("/__webhooks/subscribe", { integration_id: supplier.integration_id, url });
};

test("another service reproduces a failing order from one file, and explains it where a setting differs", async () => {
  // A caller may send a secret in any field.
  const { control_token } = support.ready;
  const note = `${supplier.api_key} ${control_token}`;
  await support.post(
    `${operationPath(jobsGet)}?x=${control_token}`,
    { identity: { external: note } },
    { "x-note": note },
  );
  await subscribeBroken(note);
  await support.control(snapshotsSave, { name: "before" });
  const { id } = await placeOrder(support, "handed-over");
  let placed: string | undefined;
  await vi.waitFor(async () => {
    const { items } = await support.control(deliveriesList, { limit: 1 });
    expect(items[0]?.last_status).toBe(503);
    placed = items[0]?.trace_id;
  }, 20_000);
  await support.ok(procurementsCancel, { identity: { id } }, repairer);
  const refused = await support.call(supplierProcurementsConfirm, { identity: { id } }, supplier);
  expect(refused.status).toBe(422);

  const trace_ids = [placed ?? "", refused.headers.get("x-request-id") ?? ""];
  const made = await support.control(scenariosRecord, { trace_ids, start: true });
  const scenario = made.scenario as Scenario;
  expect(scenario.start?.redacted).toBe(true);
  const text = JSON.stringify(made);
  const { items: keys } = await support.control(credentialsList, { reveal: true });
  const { items: clients } = await support.control(clientsList, { reveal: true });
  const secrets = [
    ...keys.flatMap(({ api_key, webhook_secret }) => [api_key, webhook_secret]),
    ...clients.map(({ client_secret }) => client_secret),
    support.ready.control_token,
  ];
  expect(secrets.length).toBeGreaterThan(6);
  for (const secret of secrets) expect(text.includes(secret ?? "")).toBe(false);
  expect(made.file_name).toMatch(/\.reproduction$/);
  const file = path.join(folder, made.file_name);
  fs.writeFileSync(file, JSON.stringify(scenario));

  expect([await runThere(file), stdout]).toEqual([0, expect.stringMatching(/all \d+ steps passed/)]);
  expect(stdout).toMatch(/ok .* 1 notification at receiver/);

  stdout = "";
  expect(await runThere(file, "--policy", "confirm_when_cancelled=not_found")).toBe(1);
  expect(stdout).toContain("  with the setting confirm_when_cancelled = not_found\n");
  expect(stdout).toMatch(
    /path {6}\/status\n.*expected {2}422\n.*actual {4}404\n.*recorded {2}422\n.*cause: setting "Confirm a cancelled order" changed from .*D51/,
  );

  stdout = "";
  expect(await runThere(file, "--reporter", "junit", "--policy", "confirm_when_cancelled=not_found")).toBe(1);
  expect(stdout).toContain('<property name="policy.confirm_when_cancelled" value="not_found"');
  expect(stdout).toContain("<failure");
  expect((await developer.control(worldsList, {})).items.map(({ name }) => name)).toEqual(["default"]);
}, 180_000);

test("a partner's expectation differs at the same step in both services, and not with the other setting", async () => {
  await support.control(policiesSet, { policies: { confirm_when_confirmed: "reject" } });
  const { id } = await placeOrder(support, "confirmed-twice");
  const confirm = () => support.call(supplierProcurementsConfirm, { identity: { id } }, supplier);
  const [first, again] = [await confirm(), await confirm()];
  expect([first.status, again.status]).toEqual([200, 422]);
  const trace_ids = [first, again].map(({ headers }) => headers.get("x-request-id") ?? "");
  const made = await support.control(scenariosRecord, { trace_ids, start: true });
  const { steps, ...head } = made.scenario as Scenario;
  const failing = { ...steps.at(-1), expect: { status: 200 } };
  const file = path.join(folder, "confirmed-twice.json");
  fs.writeFileSync(file, JSON.stringify({ ...head, steps: [...steps.slice(0, -1), failing] }));

  const { base_url, control_token } = support.ready;
  expect(await run([file, "--url", base_url, "--token", control_token], () => testConfig(null))).toBe(1);
  const [there, ofSupport] = [/^FAIL[\s\S]*?actual.*\n/m, stdout];
  stdout = "";
  expect(await runThere(file)).toBe(1);
  expect(stdout).toMatch(/FAIL .*\n {7}path {6}\/status\n.*expected {2}200\n.*actual {4}422\n.*recorded {2}422\n/);
  expect(there.exec(stdout)?.[0]).toBe(there.exec(ofSupport)?.[0]);
  expect(stdout).toMatch(/rests on {2}assumption D50: /);

  const changed = ["--policy", "confirm_when_confirmed=ok"];
  stdout = "";
  expect([await runThere(file, ...changed), stdout]).toEqual([0, expect.stringMatching(/all \d+ steps passed/)]);
  for (const [policy, status] of [[[], 1] as const, [changed, 0] as const]) {
    stdout = "";
    // Without an address the command starts its own service.
    const alone = [file, "--reporter", "junit", ...policy];
    expect(await run(alone, () => testConfig(null))).toBe(status);
    expect(stdout).toContain(`<testsuites name="sandbox run" tests="${steps.length}" failures="${status}"`);
  }
}, 180_000);

const step = { call: { operation: "businesses.list", as: "repairer" } };
const world = {
  format: "integrations-explorer-world",
  data_version: 1,
  version: "1",
  world: "default",
  redacted: true,
};
const start = { ...world, format_version: 2, exported_at: "2026-01-01T00:00:00.000Z", tables: [], media: [] };
const file = (more: object): string => JSON.stringify({ scenario: 1, name: "A test", steps: [step], ...more });

test.each<[string, string]>([
  ["truncated", file({}).slice(0, -9)],
  ["of a newer format", file({ scenario: 2 })],
  ["with a world of a newer format", file({ start: { ...start, format_version: 99 } })],
  ["with a world of newer tables", file({ start: { ...start, data_version: 9_999 } })],
  ["with a path for a picture's id", file({ start: { ...start, media: [{ id: "../../x", base64: "AA==" }] } })],
  ["with an unknown table", file({ start: { ...start, tables: [{ name: "../x", columns: ["a"], rows: [] }] } })],
  ["of wrong types", file({ start: { ...start, tables: [{ name: "jobs", columns: ["seq"], rows: [[[1]]] }] } })],
  ["with deep nesting", file({}).replace('"as":"repairer"', `"body":${"[".repeat(90_000)}${"]".repeat(90_000)}`)],
])("a file %s is refused with a sentence and without effect", async (_, text) => {
  let stderr = "";
  vi.spyOn(process.stderr, "write").mockImplementation((said) => {
    stderr += String(said);
    return true;
  });
  const hostile = path.join(folder, "hostile.json");
  fs.writeFileSync(hostile, text);
  expect([await runThere(hostile), stderr.startsWith("error: ")]).toEqual([2, true]);
  expect((await developer.control(worldsList, {})).items.map(({ name }) => name)).toEqual(["default"]);
});
